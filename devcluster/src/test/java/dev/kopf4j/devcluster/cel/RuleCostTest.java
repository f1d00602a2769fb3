package dev.kopf4j.devcluster.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Rules cost what a real server estimates. */
class RuleCostTest {
    private static final String FIELDS = """
            type: object
            required: [a]
            properties:
              a: {type: integer}
              d: {type: number}
              s: {type: string}
              s10: {type: string, maxLength: 10}
              ns: {type: string, maxLength: 20, nullable: true}
              e: {type: string, enum: [one, three]}
              by: {type: string, format: byte}
              du: {type: string, format: duration}
              ti: {type: string, format: date-time}
              da: {type: string, format: date}
              ios: {x-kubernetes-int-or-string: true}
              l: {type: array, items: {type: string}}
              l5: {type: array, maxItems: 5, items: {type: string, maxLength: 7}}
              n5: {type: array, maxItems: 50, items: {type: integer}}
              m: {type: object, additionalProperties: {type: string}}
              m5: {type: object, maxProperties: 50, additionalProperties: {type: string, maxLength: 9}}
              lo: {type: array, items: {type: object, required: [name], properties: {name: {type: string}, v: {type: string, maxLength: 30}}}}
              lo9: {type: array, maxItems: 9, items: {type: object, required: [name], properties: {name: {type: string, maxLength: 12}, v: {type: array, maxItems: 4, items: {type: string, maxLength: 3}}}}}
              set: {type: array, x-kubernetes-list-type: set, maxItems: 9, items: {type: string, maxLength: 4}}
              x: {type: object, x-kubernetes-preserve-unknown-fields: true}
              in: {type: object, properties: {b-c: {type: string, maxLength: 3}}}
              nt: {x-kubernetes-preserve-unknown-fields: true}
              lx: {type: array, maxItems: 4, items: {x-kubernetes-preserve-unknown-fields: true}}
              ux: {type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}
              emb: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
            """;

    private static StructuralSchema schema(String rule, long objects) {
        ObjectNode items = (ObjectNode) YamlReader.documents(FIELDS).getFirst();
        items.putArray("x-kubernetes-validations").addObject().put("rule", rule);
        ObjectNode schema = Json.object().put("type", "object");
        ObjectNode list = schema.putObject("properties").putObject("list");
        list.put("type", "array").put("maxItems", objects).set("items", items);
        return new StructuralSchema(schema);
    }

    private static List<FieldError> validate(StructuralSchema schema, boolean unchanged) {
        return RuleValidation.validate(schema, "s", path -> false, unchanged);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cel/rule-costs.txt", delimiter = ';', quoteCharacter = '`')
    void isTheRealServersEstimate(long objects, String factor, String rule) {
        assertThat(validate(schema(rule, objects), false).getFirst().message())
                .contains("estimated rule cost exceeds budget by factor of " + factor + " ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "math.greatest(self.a, 3) == 4", // not in the libraries of Kubernetes
                "semver('1.2.3').major() == 1", // in those of v1.33 only: for stored rules, as v1.32 must read new ones
                "cel.bind(x, self.s10, x == x)",
                "self.s10.reverse() == 'x'",
                "self.ns == null",
                "self.x.foo == 'a'", // no field that the schema does not name
                "self.nt == 1", // no field without a type
                "self.lx.size() == 3",
                "self.ios", // may be true, but need not
            })
    void doesNotCompile(String rule) {
        assertThat(validate(schema(rule, 1), false)).singleElement().satisfies(error -> {
            assertThat(error.type()).isEqualTo(FieldError.Type.INVALID);
            assertThat(error.field()).endsWith("x-kubernetes-validations[0].rule");
        });
    }

    @Test
    void countsOnlyInTheSumWhenTheSchemaIsOld() {
        assertThat(validate(schema("self.a == 1", 8_000_000), false)).hasSize(1);
        assertThat(validate(schema("self.a == 1", 8_000_000), true)).isEmpty();
        assertThat(validate(schema("self.a == 1", 80_000_000), true))
                .map(FieldError::field)
                .containsExactly("s.properties[list].items.x-kubernetes-validations[0].rule", "s");
    }

    @Test
    void isThatOfTheGreatestRequestWhereNothingLimitsTheNumber() {
        ObjectNode schema = (ObjectNode) YamlReader.documents("""
                type: object
                properties:
                  list:
                    type: array
                    items: {type: string, x-kubernetes-validations: [{rule: "self.matches('^[a-z]+$')"}]}
                """).getFirst();
        assertThat(validate(new StructuralSchema(schema), false))
                .map(FieldError::message)
                .allMatch(message -> message.startsWith("Forbidden: "))
                .hasSize(3);
    }
}
