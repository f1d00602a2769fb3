package dev.kopf4j.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.json.JsonConversionException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchEventTest {
    @Test
    void tellsWhatHappenedToWhich() {
        WatchEvent event = event("{'type':'MODIFIED','object':{'apiVersion':'v1','kind':'Pod','spec':{'metadata':"
                + "{'uid':'no'},'uid':'no'},'metadata':{'labels':{'name':'no'},'managedFields':[{'name':'no'}],"
                + "'name':'a','namespace':'ns','ownerReferences':[{'uid':'no'}],'resourceVersion':'7','uid':'u'}}}");

        assertThat(event.type()).isEqualTo(WatchEvent.Type.MODIFIED);
        assertThat(event.name()).isEqualTo("a");
        assertThat(event.namespace()).isEqualTo("ns");
        assertThat(event.uid()).isEqualTo("u");
        assertThat(event.resourceVersion()).isEqualTo("7");
        assertThat(event.object().at("/spec/uid").asString()).isEqualTo("no");
    }

    @Test
    void takesWhatIsAbsentOrOfAnotherTypeForAbsent() {
        WatchEvent event =
                event("{'object':{'metadata':{'name':{'uid':'x'},'uid':5,'resourceVersion':[1]}},'type':'X'}");

        assertThat(event.type()).isEqualTo(WatchEvent.Type.UNKNOWN);
        assertThat(event.rawType()).isEqualTo("X");
        assertThat(event.name()).isNull();
        assertThat(event.namespace()).isNull();
        assertThat(event.uid()).isNull();
        assertThat(event.resourceVersion()).isEmpty();
    }

    @Test
    void hasAnEmptyObjectIfThereIsNone() {
        assertThat(event("{'type':'ERROR','object':null}").object()).isEmpty();
        assertThat(event("{'type':'ERROR'}").errorCode()).isZero();
        assertThat(event("{'type':'ERROR','object':{'code':410}}").errorCode()).isEqualTo(410);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "'ADDED'",
                "{'type':'ADDED'",
                "{'type':'ADDED','object':{'metadata':{'uid':'u'}}",
                "{'type':'ADDED','object':{'spec':{'a':tru}}}",
                "{'type':'ADDED','object':{'spec':{'a':'b}}}",
                "{'type':'ADDED','object':{'spec':{'a':1 'b':2}}}",
                "{'type':'ADDED'}}",
                "{'type':'ADDED'}{}",
                "{}",
                "{'type':7,'object':{}}",
                "{'kind':'PodList','items':[]}"
            })
    void isRefusedIfItIsDamagedAnywhereOrIsNoEvent(String line) {
        assertThatThrownBy(() -> event(line)).isInstanceOf(JsonConversionException.class);
    }

    /** The message goes into logs and answers of probes. */
    @Test
    void aDamagedLineIsNotQuoted() {
        assertThatThrownBy(() -> event("{'type':'ADDED','object':{'data':{'p':swordfish}}}"))
                .isInstanceOf(JsonConversionException.class)
                .hasMessageMatching("not valid JSON at byte \\d+")
                .hasNoCause();
    }

    private static WatchEvent event(String text) {
        return WatchEvent.of(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
