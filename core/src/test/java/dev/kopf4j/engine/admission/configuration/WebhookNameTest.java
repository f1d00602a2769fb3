package dev.kopf4j.engine.admission.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link WebhookName}: names that the API server takes, and addresses from which the id can be read. */
class WebhookNameTest {
    @ParameterizedTest
    @Tag("J09")
    @CsvSource({
        "check,             check.auto.kopf.dev,             check",
        "check_numbers,     check-numbers.auto.kopf.dev,     check_numbers",
        "checkNumbers,      check-numbers.auto.kopf.dev,     checkNumbers",
        "fn/spec.field,     fn.spec.field.auto.kopf.dev,     fn/spec.field",
        "<lambda>,          3clambda3e.auto.kopf.dev,        %3Clambda%3E",
        "a b,               a20b.auto.kopf.dev,              a%20b",
        "ü~.-,              c3bc7e.-.auto.kopf.dev,          %C3%BC~.-"
    })
    void idsBecomeNamesAndPaths(String id, String name, String path) {
        assertThat(WebhookName.of(id, "auto.kopf.dev")).isEqualTo(name);
        assertThat(WebhookName.path(id)).isEqualTo(path);
    }
}
