"""The OpenAPI document keeps the structure that programs rely on."""

import json
from pathlib import Path

from django.test import Client

KEPT = Path(__file__).parent / "openapi_structure.json"


def structure_of(document):
    schemas = document["components"]["schemas"]

    def shape_of(schema):
        """Type, format, limits and fields (* required) of a schema, without its sentences."""
        if "$ref" in schema:
            return shape_of(schemas[schema["$ref"].rpartition("/")[2]])
        for kind in ("anyOf", "oneOf"):
            if kind in schema:
                return sorted(map(shape_of, schema[kind]), key=json.dumps)
        if "properties" in schema:
            required = schema.get("required", ())
            return {
                name + "*" * (name in required): shape_of(field)
                for name, field in schema["properties"].items()
            }
        if schema["type"] == "array":
            sizes = {name: schema[name] for name in ("minItems", "maxItems") if name in schema}
            return {"array": shape_of(schema["items"]), **sizes}
        kept = ("type", "format", "enum", "minimum", "maximum")
        return {name: schema[name] for name in kept if name in schema}

    def bodies_of(part):
        return {media: shape_of(each["schema"]) for media, each in part.get("content", {}).items()}

    def call_of(details):
        return {
            "parameters": {
                f"{each['in']} {each['name']}" + "*" * each["required"]: shape_of(each["schema"])
                for each in details["parameters"]
            },
            "security": details.get("security"),
            "body": bodies_of(details.get("requestBody", {})),
            "responses": {
                status: bodies_of(answer) for status, answer in details["responses"].items()
            },
        }

    return {
        f"{method} {path}": call_of(details)
        for path, methods in document["paths"].items()
        for method, details in methods.items()
    } | {"security": document["components"]["securitySchemes"]}


def test_calls_fields_and_answers_are_what_they_were():
    document = Client().get("/api/openapi.json").json()
    assert structure_of(document) == json.loads(KEPT.read_text("utf-8"))
