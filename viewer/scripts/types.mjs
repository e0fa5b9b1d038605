// SPDX-License-Identifier: Apache-2.0
// Writes src/report.ts, the types of a page's data, from docs/schemas/report.schema.json. With --check it only
// compares, and fails if they differ.
import { readFileSync, writeFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
const schema = JSON.parse(readFileSync(here("../../docs/schemas/report.schema.json"), "utf8"));
const capital = (name) => name[0].toUpperCase() + name.slice(1);

/** A type for a schema, of the kinds that our schemas have. */
function typeOf(part, indent) {
  if (part.$ref) return capital(part.$ref.replace("#/$defs/", ""));
  if (part.const !== undefined) return JSON.stringify(part.const);
  if (part.enum) return part.enum.map((value) => JSON.stringify(value)).join(" | ");
  return [part.type].flat().map((name) => {
    if (name === "object") return objectOf(part, indent);
    if (name === "integer") return "number";
    if (name !== "array") return name;
    const item = typeOf(part.items, indent);
    if (part.minItems !== undefined && part.minItems === part.maxItems && part.minItems <= 3)
      return `[${Array(part.minItems).fill(item).join(", ")}]`;
    return `${item}[]`;
  }).join(" | ");
}

function objectOf(part, indent) {
  const lines = Object.entries(part.properties).map(([name, member]) => {
    const comment = member.description ? `${indent}  /** ${capital(member.description)}. */\n` : "";
    return `${comment}${indent}  ${name}: ${typeOf(member, `${indent}  `)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

const text = [
  "// SPDX-License-Identifier: Apache-2.0",
  "// The types of a page's data. Made from docs/schemas/report.schema.json by 'npm run types': change that instead.",
  ...Object.entries(schema.$defs).map(([name, part]) => `export type ${capital(name)} = ${typeOf(part, "")};`),
  `/** ${schema.description} */`,
  `export interface Report ${objectOf(schema, "")}`,
  "",
].join("\n");
const file = here("../src/report.ts");
if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("src/report.ts differs from docs/schemas/report.schema.json; run: npm run types");
  process.exit(1);
}
