"""The JSON report of every case of testdata/ is what report.v1.schema.json says."""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

from program import TESTDATA, Case, report

SCHEMA = json.loads((TESTDATA.parent / "lib/report/report.v1.schema.json").read_text())


class Schema(Case):
    def setUp(self):
        super().setUp()
        validator = jsonschema.validators.validator_for(SCHEMA)
        validator.check_schema(SCHEMA)
        self.validator = validator(SCHEMA)

    def assert_valid(self, document):
        faults = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
                  for error in self.validator.iter_errors(document)]
        self.assertEqual(faults, [])

    def test_every_case(self):
        folders = sorted({log.parent for log in TESTDATA.rglob("*.log")})
        self.assertGreater(len(folders), 200)
        for folder in folders:
            with self.subTest(folder):
                expectations = folder / "expect"
                options = ("--expect", expectations.read_text().strip()) if expectations.exists() else ()
                self.assert_valid(report(*options, *sorted(folder.glob("*.log"))))

    def test_nothing_read(self):
        self.assert_valid(report(data=b""))

    def test_a_key_that_the_schema_lacks_is_a_fault(self):
        document = report(self.healthy)
        document["processes"][0]["surprise"] = 1
        self.assertTrue(list(self.validator.iter_errors(document)))
