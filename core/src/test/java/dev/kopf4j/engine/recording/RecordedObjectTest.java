package dev.kopf4j.engine.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.json.Json;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which lines of a record concern an object, however it is named on the command line. */
class RecordedObjectTest {
    private static final String OF_CHILD = """
            {"step":"request","resource":"configmaps.v1","kind":"ConfigMap","object":"ns/child",\
            "forResource":"kopfexamples.v1.kopf.dev","forKind":"KopfExample","forObject":"ns/x"}""";
    /** As it was written before the resource was recorded. */
    private static final String OF_OLD_RECORD = """
            {"step":"request","resource":"configmaps.v1","kind":"ConfigMap","object":"ns/child",\
            "forKind":"KopfExample","forObject":"ns/x"}""";

    @ParameterizedTest
    @Tag("Q20")
    @CsvSource({
        "kopfexample/x,              ns, true,  true",
        "kopfexamples/x,             ns, true,  false",
        "kopfexamples.kopf.dev/x,    ns, true,  false",
        "kopfexamples.v1.kopf.dev/x, ns, true,  false",
        "kopfexamples,               ns, true,  false",
        "configmaps/child,           ns, true,  true",
        "kopfexamples/other,         ns, false, false",
        "kopfexamples/x,             other, false, false",
        "pods/x,                     ns, false, false",
    })
    void aRequestForAnotherObjectConcernsTheOneThatItWasMadeFor(
            String text, String namespace, boolean concerned, boolean inOldRecord) {
        RecordedObject object = RecordedObject.of(text, namespace);
        assertThat(object.isIn(Json.parse(OF_CHILD))).isEqualTo(concerned);
        assertThat(object.isIn(Json.parse(OF_OLD_RECORD))).isEqualTo(inOldRecord);
    }
}
