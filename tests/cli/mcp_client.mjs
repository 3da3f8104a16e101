// Talks to the server with the client of the protocol's own SDK: node mcp_client.mjs PROGRAM FOLDER LOG. Prints what came
// back as one JSON object.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, folder, log] = process.argv.slice(2);
const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
await client.connect(new StdioClientTransport({ command: program, args: ["mcp", folder], stderr: "inherit" }));
await client.ping();
const call = (name, args) => client.callTool({ name, arguments: args });
const { tools } = await client.listTools();
const { resources } = await client.listResources();
const pages = [];
for (const { uri } of resources) pages.push((await client.readResource({ uri })).contents[0]);
const refused = await client.setLoggingLevel("debug").then(() => "", (error) => String(error));
const wrong = await client.readResource({ uri: "nccl-analyze://rules/none" }).then(() => 0, (error) => error.code);
const seen = {
  server: client.getServerVersion(), instructions: client.getInstructions(), tools, resources, pages, refused, wrong,
  files: await call("files", {}), analyze: await call("analyze", { paths: [log] }), brief: await call("analyze", { paths: [log], format: "brief" }),
  json: await call("analyze", { paths: [log], format: "json" }), ranks: await call("ranks", { paths: [log] }),
  explain: await call("explain", { what: "NCA302" }), diff: await call("diff", { old: log, new: log }),
  rules: await call("rules", { family: "NCA3" }), outside: await call("analyze", { paths: ["/etc/passwd"] }),
};
await client.close();
console.log(JSON.stringify(seen));
