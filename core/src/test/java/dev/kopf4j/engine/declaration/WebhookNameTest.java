package dev.kopf4j.engine.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link WebhookName}: names, and paths at a Service, that the API server takes. */
class WebhookNameTest {
    /** {@code IsDNS1123Subdomain} of the API machinery. */
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final String[] LETTERS = {
        "a",
        "b",
        "Z",
        "Q",
        "0",
        "9",
        "_",
        "-",
        ".",
        "/",
        "spec.",
        "$",
        " ",
        "<",
        "\u00fc",
        "\u4e2d",
        "\ud83d\ude00",
        "%",
        "~",
        "check"
    };

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

    /** Whatever handlers are called: 20,000 ids of letters of all kinds, as methods, fields and users have them. */
    @Test
    @Tag("J09")
    void anyIdBecomesANameAndAPathThatTheServerTakes() {
        long seed = Long.getLong("kopf4j.seed", 1);
        Random random = new Random(seed);
        int[] changed = {0};
        for (int time = 0; time < 20_000; time++) {
            String id = randomId(random);
            String name = WebhookName.of(id, "auto.kopf.dev");
            String path = WebhookName.path(id);
            assertThat(name).as("seed %s, id '%s'", seed, id).matches(SUBDOMAIN).hasSizeLessThan(254);
            assertThat(name.split("[.]")).as("seed %s, id '%s'", seed, id).hasSizeGreaterThanOrEqualTo(3);
            assertThat(path.split("/", -1))
                    .as("seed %s, id '%s'", seed, id)
                    .allMatch(segment -> SUBDOMAIN.matcher(segment).matches() && segment.length() < 254);
            assertThat(WebhookName.isFor(path, id))
                    .as("seed %s, id '%s'", seed, id)
                    .isTrue();
            changed[0] += path.equals(id) ? 0 : 1;
        }
        assertThat(changed[0]).as("ids that no server takes as they are").isGreaterThan(10_000);
    }

    private static String randomId(Random random) {
        StringBuilder id = new StringBuilder();
        int length = 1 + random.nextInt(random.nextInt(20) == 0 ? 120 : 20);
        for (int letter = 0; letter < length; letter++) {
            id.append(LETTERS[random.nextInt(LETTERS.length)]);
        }
        return id.toString();
    }
}
