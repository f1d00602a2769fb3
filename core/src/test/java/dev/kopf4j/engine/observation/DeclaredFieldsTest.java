package dev.kopf4j.engine.observation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kopf4j.Operator;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.json.Json;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Tests {@link DeclaredFields}. */
class DeclaredFieldsTest {
    private static final JsonNode DEFINITION = Json.parse("""
            {"spec": {"group": "kopf.dev", "scope": "Namespaced", "names": {"plural": "kopfexamples", "kind": "KopfExample"},
             "versions": [
              {"name": "v1", "served": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                "spec": {"type": "object", "properties": {
                  "duration": {"type": "string"},
                  "items": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
                  "port": {"x-kubernetes-int-or-string": true},
                  "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                  "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                  "nothing": {"type": "object"}}}}}}},
              {"name": "v0", "served": false, "schema": {"openAPIV3Schema": {"type": "object"}}},
              {"name": "v2", "served": true}]}}
            """);

    private final Logger logger = (Logger) LoggerFactory.getLogger("kopf4j.reactor");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.WARN);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            spec.duraton       | kopfexamples.v1.kopf.dev has no spec.duraton (did you mean spec.duration?)
            spec.other         | kopfexamples.v1.kopf.dev has no spec.other; objects never have it
            spec.nothing.at    | kopfexamples.v1.kopf.dev has no spec.nothing.at
            spec.items.0.name  | kopfexamples.v1.kopf.dev has no spec.items.0; objects never have it
            spec.duration.s    | kopfexamples.v1.kopf.dev has no spec.duration.s
            spec.items         |
            spec.port.name     |
            sepc.duration      | kopfexamples.v1.kopf.dev has no sepc (did you mean spec?)
            spec.duration      |
            spec               |
            spec.free.whatever |
            spec.labels.any    |
            metadata.labels.a  |
            """)
    void namesTheFieldThatNoObjectCanHave(String field, String words) {
        DeclaredFields fields = new DeclaredFields(RegistryBuilder.build(
                OperatorPlan.of(Operator.builder().onField("kopfexamples", "fn", h -> h.field(field), context -> null))
                        .registrations()));
        fields.compareWith(DEFINITION);
        fields.compareWith(DEFINITION);
        List<String> lines =
                log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        if (words == null) {
            assertThat(lines).isEmpty();
        } else {
            assertThat(lines).singleElement().asString().contains("is for the field " + field, words);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kopfexamples | pods         | status.phase   | 0
            pods         | kopfexamples | spec.duraton   | 1
            pods         | kopfexamples | spec.duration  | 0
            """)
    void theFieldOfAHandlerOfChildrenIsOneOfTheChild(String parent, String child, String field, int told) {
        DeclaredFields fields = new DeclaredFields(RegistryBuilder.build(
                OperatorPlan.of(Operator.builder().onChild(parent, child, "fn", h -> h.field(field), context -> null))
                        .registrations()));
        fields.compareWith(DEFINITION);
        assertThat(log.list).hasSize(told);
    }
}
