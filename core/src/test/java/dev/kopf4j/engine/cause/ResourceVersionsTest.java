package dev.kopf4j.engine.cause;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link ResourceVersions}: when a resource version is known to be at least as new as another one. */
class ResourceVersionsTest {
    @ParameterizedTest
    @Tag("B15")
    @CsvSource(
            nullValues = "-",
            value = {
                "5,                   5,                   true",
                "6,                   5,                   true",
                "4,                   5,                   false",
                "10,                  9,                   true",
                "9,                   10,                  false",
                "007,                 7,                   true",
                "7,                   007,                 true",
                "999999999999999999,  999999999999999998,  true",
                "999999999999999998,  999999999999999999,  false",
                "1000000000000000001, 1000000000000000000, false",
                "1000000000000000000, 1000000000000000000, true",
                "6,                   5a,                  false",
                "6:,                  5,                   false",
                "/6,                  5,                   false",
                "5a,                  5a,                  true",
                "'',                  5,                   false",
                "5,                   '',                  false",
                "'',                  '',                  true",
            })
    void tellsWhatIsAtLeastAsNew(String version, String expected, boolean atLeast) {
        assertThat(ResourceVersions.isAtLeast(version, expected)).isEqualTo(atLeast);
    }

    @ParameterizedTest
    @Tag("B15")
    @CsvSource({
        "1,                  9,                   true",
        "0,                  999999999999999999,  true",
        "1,                  1000000000000000000, false",
        "1000000000000000000, 1,                  false",
        "1,                  a,                   false",
        "a,                  1,                   false",
        "1,                  -1,                  false",
        "1,                  '',                  false",
    })
    void tellsWhichOrderIsKnown(String one, String other, boolean known) {
        assertThat(ResourceVersions.areNumbers(one, other)).isEqualTo(known);
        assertThat(ResourceVersions.isOlder(one, other)).isEqualTo(known);
        assertThat(ResourceVersions.isOlder(other, one)).isFalse();
        assertThat(ResourceVersions.isOlder(one, one)).isFalse();
    }

    @Test
    void objectsMayHaveNone() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        assertThat(ResourceVersions.of(body)).isEmpty();
        body.putObject("metadata").put("resourceVersion", "17");
        assertThat(ResourceVersions.of(body)).isEqualTo("17");
    }
}
