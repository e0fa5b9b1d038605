# SPDX-License-Identifier: Apache-2.0
"""The part of JSON Schema that docs/schemas uses; an unknown keyword is an error, so that no check is skipped."""

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "required", "properties", "items", "minItems",
         "maxItems", "minimum", "enum", "const", "additionalProperties"}


def violations(value, schema, root=None, where="$"):
    """One line for each place where `value` departs from `schema`. Stricter than the standard in one thing: members
    the schema does not name are violations, too, since what we write must be documented."""
    root = root or schema
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"json_schema.py does not know {sorted(unknown)}")
    found = []
    if "$ref" in schema:
        found += violations(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[t](value) for t in types):
        return found + [f"{where}: {value!r} is not {' or '.join(types)}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is not one of {schema['enum']!r}")
    if "minimum" in schema and value < schema["minimum"]:
        found.append(f"{where}: {value!r} is below {schema['minimum']}")
    if isinstance(value, dict) and "properties" in schema:
        found += [f"{where}: {name} is missing" for name in schema.get("required", []) if name not in value]
        found += [f"{where}: {name} is not documented" for name in value if name not in schema["properties"]]
        for name, member in schema["properties"].items():
            if name in value:
                found += violations(value[name], member, root, f"{where}.{name}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where}: {len(value)} items")
        for i, item in enumerate(value):
            found += violations(item, schema.get("items", {}), root, f"{where}[{i}]")
    return found
