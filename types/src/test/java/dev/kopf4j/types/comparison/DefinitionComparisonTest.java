package dev.kopf4j.types.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.types.Change;
import dev.kopf4j.types.DefinitionChanges;
import dev.kopf4j.types.schema.PlainTypes;
import dev.kopf4j.types.text.JsonMerge;
import dev.kopf4j.types.text.YamlReader;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionComparisonTest {
    private static Map<String, Object> definition(String schema) {
        return map("""
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Site, plural: sites, singular: site, listKind: SiteList, shortNames: [si]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                additionalPrinterColumns: [{name: A, type: string, jsonPath: .spec.a}]
                selectableFields: [{jsonPath: .spec.a}]
                schema: {openAPIV3Schema: %s}
              - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
            status: {storedVersions: [v1, v1beta1]}
            """.formatted("{type: object, properties: {spec: " + schema + "}}"));
    }

    @SuppressWarnings("unchecked") // keys are texts
    private static Map<String, Object> map(String yaml) {
        return (Map<String, Object>)
                Objects.requireNonNull(YamlReader.documents(yaml).getFirst());
    }

    @ParameterizedTest
    @Tag("M13")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{type: string}                    | {type: integer}                   | breaking: v1 spec: the type was string, and would be integer",
                "{type: integer}                   | {type: number}                    | change: v1 spec: the type was integer, and would be number",
                "{type: number}                    | {type: integer}                   | breaking: v1 spec: the type was number, and would be integer",
                "{type: string}                    | {x-kubernetes-int-or-string: true} | change: v1 spec: the type was string, and would be integer or string",
                "{type: integer}                   | {type: number, maximum: 5}        | change: v1 spec: the type was integer, and would be number; breaking: v1 spec: maximum was not there, and would be 5",
                "{type: integer}                   | {type: number, enum: [1]}         | change: v1 spec: the type was integer, and would be number; breaking: v1 spec: only [1] would be allowed",
                "{type: integer}                   | {type: number, x-kubernetes-validations: [{rule: self > 1}]} | change: v1 spec: the type was integer, and would be number; breaking: v1 spec: the rule is new: self > 1",
                "{type: integer, format: int64}    | {type: number, format: double}    | change: v1 spec: the type was integer, and would be number; change: v1 spec: format was int64, and would be double",
                "{type: string}                    | {x-kubernetes-int-or-string: true, pattern: a} | change: v1 spec: the type was string, and would be integer or string; breaking: v1 spec: pattern was not there, and would be a",
                "{type: integer, nullable: true}   | {x-kubernetes-int-or-string: true} | change: v1 spec: the type was integer, and would be integer or string; breaking: v1 spec: nullable was true, and would be false",
                "{type: string}                    | {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]} | change: v1 spec: the type was string, and would be integer or string",
                "{x-kubernetes-int-or-string: true} | {x-kubernetes-int-or-string: true, anyOf: [{type: string}]} | breaking: v1 spec: anyOf was not there, and would be [{type=string}]",
                "{type: string}                    | {x-kubernetes-preserve-unknown-fields: true, maxLength: 1} | change: v1 spec: the type was string, and would be anything; breaking: v1 spec: maxLength was not there, and would be 1",
                "{type: string}                    | {x-kubernetes-preserve-unknown-fields: true, enum: [a]} | change: v1 spec: the type was string, and would be anything; breaking: v1 spec: only [a] would be allowed",
                "{type: object, properties: {a: {type: string}, c: {type: string}}} | {x-kubernetes-preserve-unknown-fields: true, required: [b], properties: {a: {type: integer}}} | change: v1 spec: the type was object, and would be anything; breaking: v1 spec.a: the type was string, and would be integer; breaking: v1 spec.b: the field would be required, and has no default",
                "{type: string, nullable: true}    | {x-kubernetes-preserve-unknown-fields: true} | change: v1 spec: the type was string, and would be anything",
                "{x-kubernetes-int-or-string: true} | {type: string}                   | breaking: v1 spec: the type was integer or string, and would be string",
                "{x-kubernetes-preserve-unknown-fields: true} | {type: string}         | breaking: v1 spec: the type was anything, and would be string",
                "{type: object, properties: {a: {type: string}}} | {type: object}      | breaking: v1 spec.a: the field is gone: its values would be dropped",
                "{type: object, properties: {a: {type: string}}} | {type: object, x-kubernetes-preserve-unknown-fields: true} | change: v1 spec: fields that the schema does not know are kept; change: v1 spec.a: the field is not described any more, but kept",
                "{type: object} | {type: object, properties: {a: {type: string}}}      | change: v1 spec.a: the field is new",
                "{type: object} | {type: object, properties: {a: {type: string}}, required: [a]} | change: v1 spec.a: the field is new; breaking: v1 spec.a: the field would be required, and has no default",
                "{type: object} | {type: object, properties: {a: {type: string, default: x}}, required: [a]} | change: v1 spec.a: the field is new",
                "{type: object, properties: {a: {type: string}}, required: [a]} | {type: object, properties: {a: {type: string}}} | change: v1 spec.a: the field is not required any more",
                "{type: object, properties: {a: {type: array, items: {type: string}}}} | {type: object, properties: {a: {type: array, items: {type: integer}}}} | breaking: v1 spec.a[]: the type was string, and would be integer",
                "{type: object, additionalProperties: {type: string}} | {type: object, additionalProperties: {type: string, maxLength: 3}} | breaking: v1 spec{}: maxLength was not there, and would be 3",
                "{type: object, additionalProperties: {type: string}} | {type: object} | breaking: v1 spec{}: any keys were allowed, and would be dropped",
                "{type: object, x-kubernetes-preserve-unknown-fields: true} | {type: object} | breaking: v1 spec: fields that the schema does not know were kept, and would be dropped",
                "{type: integer, maximum: 5}       | {type: integer, maximum: 4}       | breaking: v1 spec: maximum was 5, and would be 4",
                "{type: integer, maximum: 5}       | {type: integer, maximum: 6}       | change: v1 spec: maximum was 5, and would be 6",
                "{type: integer, maximum: 5}       | {type: integer, maximum: 5.0}     | ``",
                "{type: integer, minimum: 5}       | {type: integer, minimum: 6}       | breaking: v1 spec: minimum was 5, and would be 6",
                "{type: integer}                   | {type: integer, minimum: 0}       | breaking: v1 spec: minimum was not there, and would be 0",
                "{type: string}                    | {type: string, minLength: 0}      | change: v1 spec: minLength was not there, and would be 0",
                "{type: string}                    | {type: string, minLength: 1}      | breaking: v1 spec: minLength was not there, and would be 1",
                "{type: array, items: {type: string}} | {type: array, items: {type: string}, minItems: 0} | change: v1 spec: minItems was not there, and would be 0",
                "{type: object}                    | {type: object, minProperties: 0}  | change: v1 spec: minProperties was not there, and would be 0",
                "{type: integer, format: int32}    | {type: integer, format: int32, minimum: -2147483648} | change: v1 spec: minimum was not there, and would be -2147483648",
                "{type: integer, format: int32}    | {type: integer, format: int32, maximum: 2147483646} | breaking: v1 spec: maximum was not there, and would be 2147483646",
                "{type: integer, format: int64}    | {type: integer, format: int64, maximum: 2147483647} | breaking: v1 spec: maximum was not there, and would be 2147483647",
                "{type: string, format: uuid}      | {type: string, format: uuid, pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'} | change: v1 spec: pattern was not there, and would be ^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
                "{type: string, format: uuid}      | {type: string, format: uuid, pattern: '^1'} | breaking: v1 spec: pattern was not there, and would be ^1",
                "{type: integer, minimum: 5}       | {type: integer}                   | change: v1 spec: minimum was 5, and would be gone",
                "{type: integer, minimum: 5}       | {type: integer, minimum: 5, exclusiveMinimum: true} | breaking: v1 spec: exclusiveMinimum was false, and would be true",
                "{type: string}                    | {type: string, pattern: a}        | breaking: v1 spec: pattern was not there, and would be a",
                "{type: string, pattern: a}        | {type: string}                    | change: v1 spec: pattern was a, and would be gone",
                "{type: integer, format: int64}    | {type: integer, format: int32}    | breaking: v1 spec: format was int64, and would be int32",
                "{type: integer, format: int32}    | {type: integer, format: int64}    | change: v1 spec: format was int32, and would be int64",
                "{type: string, enum: [a, b]}      | {type: string, enum: [b, c]}      | breaking: v1 spec: the value a is not allowed any more; change: v1 spec: the value c is allowed, too",
                "{type: string}                    | {type: string, enum: [a]}         | breaking: v1 spec: only [a] would be allowed",
                "{type: string, enum: [a]}         | {type: string}                    | change: v1 spec: other values than [a] are allowed",
                "{type: string, nullable: true}    | {type: string}                    | breaking: v1 spec: nullable was true, and would be false",
                "{type: string, default: a}        | {type: string, default: b}        | change: v1 spec: default was a, and would be b",
                "{type: string, default: a}        | {type: string}                    | breaking: v1 spec: default was a, and would be gone",
                "{type: array, items: {type: string}} | {type: array, items: {type: string}, x-kubernetes-list-type: set} | breaking: v1 spec: x-kubernetes-list-type was atomic, and would be set",
                "{type: array, items: {type: string}} | {type: array, items: {type: string}, x-kubernetes-list-type: atomic} | ``",
                "{type: object}                    | {type: object, x-kubernetes-map-type: atomic} | breaking: v1 spec: x-kubernetes-map-type was granular, and would be atomic",
                "{type: string}                    | {type: string, x-kubernetes-validations: [{rule: self != ''}]} | breaking: v1 spec: the rule is new: self != ''",
                "{type: string, x-kubernetes-validations: [{rule: self != ''}]} | {type: string, x-kubernetes-validations: [{rule: self != '', message: m}]} | ``",
                "{type: string, x-kubernetes-validations: [{rule: self != ''}]} | {type: string} | change: v1 spec: the rule is gone: self != ''",
                "{type: object, oneOf: [{required: [a]}]} | {type: object}             | change: v1 spec: oneOf was [{required=[a]}], and would be gone",
                "{type: string, description: a}    | {type: string, description: b}    | ``",
            })
    void schemas(String before, String after, String told) {
        assertThat(String.join("; ", told(definition(before), definition(after))))
                .isEqualTo(told);
    }

    /** There may have been a String, or a URL. */
    @Test
    @Tag("M13")
    void thePatternOfAnAddressIsTighter() {
        String pattern = String.valueOf(PlainTypes.readable("uri").get("pattern"));
        assertThat(told(
                        definition("{type: string, format: uri}"),
                        definition("{type: string, format: uri, pattern: '" + pattern + "'}")))
                .containsExactly("breaking: v1 spec: pattern was not there, and would be " + pattern);
    }

    @ParameterizedTest
    @Tag("M13")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{scope: Cluster}                    | breaking: the scope was Namespaced, and would be Cluster",
                "{names: {kind: Page}}               | breaking: kind was Site, and would be Page",
                "{names: {shortNames: [x]}}          | breaking: shortNames were [si], and would be [x]",
                "{names: {shortNames: [si, x]}}      | change: shortNames were [si], and would be [si, x]",
                "{conversion: {strategy: None}}      | ``",
            })
    void names(String change, String told) {
        assertThat(String.join("; ", told(definition("{type: string}"), changed(change))))
                .isEqualTo(told);
    }

    private static Map<String, Object> changed(String spec) {
        return JsonMerge.apply(definition("{type: string}"), Map.of("spec", map(spec)));
    }

    @Test
    @Tag("M13")
    void versions() {
        Map<String, Object> before = definition("{type: string}");
        assertThat(told(
                        before,
                        changed("{versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type:"
                                + " object, properties: {spec: {type: string}}}}}, {name: v2, served: true}]}")))
                .containsExactly(
                        "breaking: v1: the subresource status is gone",
                        "breaking: v1: .spec.a is not selectable any more",
                        "change: v1: the printer columns are others",
                        "breaking: v1beta1: the version is no longer served",
                        "change: v2: the version is new",
                        "breaking: v1beta1: the version is gone, but objects may be stored in it (status.storedVersions)");
        assertThat(told(before, before)).isEmpty();
    }

    private static List<String> told(Map<String, Object> before, Map<String, Object> after) {
        return DefinitionChanges.between(before, after).stream()
                .map(Change::toString)
                .toList();
    }
}
