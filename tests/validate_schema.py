"""Validates every golden report against the JSON Schema that ships: validate_schema.py SCHEMA FOLDER."""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)


def main(schema_path, folder):
    schema = json.loads(pathlib.Path(schema_path).read_text())
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    reports = sorted(pathlib.Path(folder).rglob("expected.json"))
    faults = 0
    for path in reports:
        for error in validator.iter_errors(json.loads(path.read_text())):
            faults += 1
            print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
    print(f"{len(reports)} reports, {faults} faults")
    return 1 if faults or not reports else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
