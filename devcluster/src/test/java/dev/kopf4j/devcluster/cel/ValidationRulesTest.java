package dev.kopf4j.devcluster.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Expressions over an object with a field of each type. */
class ValidationRulesTest {
    private static final String FIELDS = """
            properties:
              numbers: {type: array, maxItems: 9, items: {type: integer}}
              words: {type: array, maxItems: 9, items: {type: string, maxLength: 9}}
              ratio: {type: number}
              time: {type: string, format: date-time}
              day: {type: string, format: date}
              span: {type: string, format: duration}
              data: {type: string, format: byte}
              map: {type: object, additionalProperties: {type: integer}}
              a-b: {type: string}
              any: {x-kubernetes-int-or-string: true}
              list: {type: array, items: {type: object, properties: {k: {type: string}}}}
            """;
    private static final String OBJECT = """
            numbers: [1, 3, 2]
            words: [a, b]
            ratio: 1
            time: '2024-01-02T03:04:05Z'
            day: '2024-01-02'
            span: 1h30m
            data: QUI=
            map: {x-y: 1, namespace: 2}
            a-b: c
            any: 5
            list: [{k: l}]
            """;

    private static StructuralSchema schema(String rule) {
        ObjectNode schema = (ObjectNode) YamlReader.documents(FIELDS).getFirst();
        schema.put("type", "object");
        ObjectNode only = schema.putArray("x-kubernetes-validations").addObject();
        only.setAll((ObjectNode) YamlReader.documents(rule).getFirst());
        return new StructuralSchema(schema);
    }

    private static List<FieldError> check(StructuralSchema structuralSchema, String object) {
        return new ValidationRules(structuralSchema)
                .check((ObjectNode) YamlReader.documents(object).getFirst(), null)
                .errors();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "!self.numbers.isSorted() && self.words.isSorted()",
                "self.numbers.sum() == 6 && self.numbers.min() == 1 && self.numbers.max() == 3",
                "self.words.indexOf('b') == 1 && [1, 2, 1].lastIndexOf(1) == 2 && self.words.indexOf('z') == -1",
                "[1.5, 2.5].sum() == 4.0 && self.words.max() == 'b'",
                "'abc 123'.find('[0-9]+') == '123' && '123 45'.findAll('[0-9]+') == ['123', '45']",
                "'1 2 3'.findAll('[0-9]', 2) == ['1', '2'] && 'x'.find('y') == ''",
                "url('https://a.b:80/c%20d?e=f&e=g').getHost() == 'a.b:80' && isURL('/x') && !isURL('x y')",
                "url('https://a.b:80/c%20d?e=f&e=g').getQuery()['e'] == ['f', 'g']",
                "url('https://[::1]:80/c%20d').getHostname() == '::1' && url('https://a/b').getPort() == ''",
                "url('https://a/c%20d').getEscapedPath() == '/c%20d' && url('https://a').getScheme() == 'https'",
                "quantity('1Gi').isGreaterThan(quantity('1G')) && isQuantity('5m') && !isQuantity('5x')",
                "quantity('1k').add(24).asInteger() == 1024 && quantity('1000m') == quantity('1')",
                "quantity('1').sub(quantity('500m')).asApproximateFloat() == 0.5 && quantity('-1').sign() == -1",
                "!quantity('500m').isInteger() && quantity('1').compareTo(quantity('2')) == -1",
                "ip('::1').isLoopback() && ip('10.0.0.1').family() == 4 && isIP('fe80::1') && !isIP('1.2.3')",
                "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:0db8::1') && string(ip('::0:1')) == '::1'",
                "ip('0.0.0.0').isUnspecified() && ip('ff02::1').isLinkLocalMulticast()",
                "ip('169.254.0.1').isLinkLocalUnicast() && ip('8.8.8.8').isGlobalUnicast()",
                "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.1'))",
                "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.1.2.3/8').prefixLength() == 8",
                "string(cidr('10.1.2.3/8').masked()) == '10.0.0.0/8' && cidr('fe80::1/10').ip() == ip('fe80::1')",
                "isCIDR('1.2.3.0/24') && !isCIDR('1.2.3.0/33')",
                "!format.dns1123Label().validate('good').hasValue() && format.named('uuid').value().validate('x').hasValue()",
                "format.dns1123Label().validate('Bad').value().size() == 1 && !format.named('nosuch').hasValue()",
                "'%s is %d, %.2f, %x'.format(['a', 5, 1.0, 255]) == 'a is 5, 1.00, ff'",
                "self.ratio == 1.0 && self.ratio * 2.0 == 2.0",
                "self.time > timestamp('2024-01-01T00:00:00Z') && self.time.getHours() == 3",
                "self.day == timestamp('2024-01-02T00:00:00Z')",
                "self.span == duration('90m') && self.span < duration('2h')",
                "self.data == b'AB'",
                "self.map['x-y'] == 1 && self.map['namespace'] == 2 && self.map.all(k, self.map[k] > 0)",
                "self.a__dash__b == 'c'",
                "type(self.any) == int || self.any == 'x'",
                "sets.contains(self.words, ['a']) && self.words.exists_one(w, w == 'a')",
                "self.map.all(k, v, v < 3)",
                "self.?ratio.orValue(5.0) == 1.0",
            })
    void hold(String rule) {
        StructuralSchema structuralSchema = schema(Json.text(Json.object().put("rule", rule)));
        assertThat(RuleValidation.validate(structuralSchema, "spec", path -> false, false))
                .isEmpty();
        assertThat(check(structuralSchema, OBJECT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{rule: 'self.nosuch == 1'}; s.x-kubernetes-validations[0].rule:INVALID",
                "{rule: 'self.ratio'}; s.x-kubernetes-validations[0].rule:INVALID",
                "{rule: ''}; s.x-kubernetes-validations[0].rule:REQUIRED",
                "{rule: 'true', messageExpression: '1'}; s.x-kubernetes-validations[0].messageExpression:INVALID",
                "{rule: 'true', reason: Because}; s.x-kubernetes-validations[0].reason:NOT_SUPPORTED",
                "{rule: 'true', fieldPath: .no}; s.x-kubernetes-validations[0].fieldPath:INVALID",
                "{rule: 'true', fieldPath: 'ratio'}; s.x-kubernetes-validations[0].fieldPath:INVALID",
                "{rule: 'true', message: ' '}; s.x-kubernetes-validations[0].message:INVALID",
            })
    void areRefusedWhenTheyMakeNoSense(String rule, String cause) {
        assertThat(RuleValidation.validate(schema(rule), "s", path -> false, false))
                .map(each -> each.field() + ":" + each.type())
                .containsExactly(cause);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{rule: 'false', message: m, fieldPath: .ratio, reason: FieldValueRequired}; ratio; REQUIRED; Required value: m",
                "{rule: 'false', fieldPath: \".map['x-y']\"}; map[x-y]; INVALID; Invalid value: \"object\": failed rule: false",
                "{rule: 'false', messageExpression: \"'n ' + string(self.numbers.sum())\"}; <nil>; INVALID; Invalid value: \"object\": n 6",
                "{rule: 'false', message: m, messageExpression: \"' '\"}; <nil>; INVALID; Invalid value: \"object\": m",
                "{rule: 'false', reason: FieldValueDuplicate}; <nil>; DUPLICATE; Duplicate value: \"object\"",
                "{rule: '[1][5] == 1', reason: FieldValueForbidden}; <nil>; INVALID; evaluating rule: [1][5] == 1",
            })
    void tellWhatIsBroken(String rule, String field, String type, String message) {
        assertThat(check(schema(rule), OBJECT)).singleElement().satisfies(fieldError -> {
            assertThat(fieldError.field()).isEqualTo(field);
            assertThat(fieldError.type().name()).isEqualTo(type);
            assertThat(fieldError.message()).contains(message);
        });
    }

    @Test
    void theFormerStateIsKnownOnlyWhereElementsCorrespond() {
        ObjectNode schema = (ObjectNode) YamlReader.documents("""
                type: object
                properties:
                  atomic:
                    type: array
                    items: {type: object, x-kubernetes-validations: [{rule: 'self == oldSelf'}]}
                """).getFirst();
        assertThat(RuleValidation.validate(new StructuralSchema(schema), "s", path -> false, false))
                .map(FieldError::field)
                .containsExactly("s.properties[atomic].items.x-kubernetes-validations[0].rule");
    }
}
