package dev.kopf4j.engine.handling.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link WebhookName}: names, and paths at a Service, that the API server takes. */
class WebhookNameTest {
    /** {@code IsDNS1123Subdomain} of the API machinery. */
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    @ParameterizedTest
    @Tag("J09")
    @CsvSource({
        "check,             check.auto.kopf.dev,             check",
        "check_numbers,     check-numbers.auto.kopf.dev,     check-numbers",
        "checkNumbers,      check-numbers.auto.kopf.dev,     check-numbers",
        "CheckURL,          check-u-r-l.auto.kopf.dev,       check-u-r-l",
        "fn/spec.field,     fn.spec.field.auto.kopf.dev,     fn/spec.field",
        "fn/spec._field,    fn.spec.field.auto.kopf.dev,     fn/spec.field",
        "_check__it_,       check-it.auto.kopf.dev,          check-it",
        "__,                5f5f.auto.kopf.dev,              5f5f",
        "<lambda>,          3clambda3e.auto.kopf.dev,        3clambda3e",
        "a b,               a20b.auto.kopf.dev,              a20b",
        "ü~.-,              c3bc7e.auto.kopf.dev,            c3bc7e"
    })
    void idsBecomeNamesAndPaths(String id, String name, String path) {
        assertThat(WebhookName.of(id, "auto.kopf.dev")).isEqualTo(name);
        assertThat(WebhookName.path(id)).isEqualTo(path);
        assertThat(name).matches(SUBDOMAIN);
        assertThat(path.split("/"))
                .allMatch(segment -> SUBDOMAIN.matcher(segment).matches());
        assertThat(WebhookName.isFor(path, id)).isTrue();
        assertThat(WebhookName.isFor(id, id)).isTrue();
    }
}
