package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cycle.PatchSender.PatchApi;
import dev.kopf4j.engine.cycle.PatchSender.PatchPreconditions;
import dev.kopf4j.engine.cycle.PatchSender.PatchRequests;
import dev.kopf4j.engine.cycle.PatchSender.PatchResult;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchContent.PatchTransformation;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Each request of a patch is bound to the object that was handled, and each answer is looked at before anything is made
 * of it: also on a server that looks at nothing, and answers with the object that has the name by now. Tests
 * {@link PatchRequests}.
 */
class ReplacedObjectTest {
    private static final Resource KEX = new Resource(
            "kopf.dev",
            "v1",
            new Resource.Names("kopfexamples", "KopfExample", "kopfexample", Set.of(), Set.of()),
            Set.of("status"),
            true,
            true,
            Set.of());

    /** A request that was sent. */
    private record Sent(@Nullable String subresource, PatchType type, JsonNode payload) {}

    private final List<Sent> sent = new ArrayList<>();

    private static ObjectNode object(String uid, String version) {
        return Json.parseObject(
                ("{\"kind\":\"KopfExample\",\"metadata\":{\"name\":\"x\",\"namespace\":\"ns\",\"uid\":\"" + uid
                                + "\",\"resourceVersion\":\"" + version + "\"}}")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private PatchResult send(PatchContent patch, Server server) throws InterruptedException {
        ObjectNode handled = object("old", "7");
        ObjectReference reference = ObjectReference.of(handled);
        PatchApi api = (resource, namespace, name, subresource, type, payload) -> {
            sent.add(new Sent(subresource, type, payload));
            return server.answer(subresource);
        };
        return new PatchSender(api, PatchPreconditions.SAME_OBJECT, new SimulatedPlatform(0, Instant.EPOCH))
                .send(
                        new ResourceObject(
                                KEX, reference, new BodyView(handled), new ObjectLogger(reference), () -> "memo"),
                        patch);
    }

    /** What is answered, whatever is asked. */
    @FunctionalInterface
    private interface Server {
        ObjectNode answer(@Nullable String subresource);
    }

    private static PatchContent patch(String part) {
        PatchContent patch = new PatchContent();
        switch (part) {
            case "status" -> patch.merge().putObject("status").put("a", 1);
            case "merge" -> patch.merge().putObject("spec").put("a", 1);
            case "transformed status" ->
                patch.transform(PatchTransformation.frameworkPatch(
                        body -> body.putObject("status").put("a", 1)));
            default ->
                patch.transform(PatchTransformation.frameworkPatch(
                        body -> body.putObject("spec").put("a", 1)));
        }
        return patch;
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "merge", "transformed status", "transformed"})
    void eachRequestNamesTheHandledObject(String part) throws InterruptedException {
        assertThat(send(patch(part), subresource -> object("old", "8"))).isInstanceOf(PatchResult.Applied.class);
        assertThat(sent).hasSize(1);
        JsonNode payload = sent.getFirst().payload();
        switch (part) {
            // A server drops the metadata of a change of the status, but looks at the version.
            case "status" ->
                assertThat(payload.at("/metadata/resourceVersion").asString()).isEqualTo("7");
            case "merge" -> assertThat(payload.at("/metadata/uid").asString()).isEqualTo("old");
            default ->
                assertThat(payload.get(0).toString())
                        .isEqualTo("{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"7\"}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "merge", "transformed status", "transformed"})
    void anAnswerAboutAnotherObjectEndsThePatch(String part) throws InterruptedException {
        PatchContent all = patch(part);
        all.merge().withObject("/metadata").putObject("annotations").put("progress", "ended");
        assertThat(send(all, subresource -> object("new", "9"))).isInstanceOf(PatchResult.Gone.class);
        assertThat(sent).as("requests until the answer").hasSize(1);
    }

    /** The newest state that a refused change of the status is merged into may be another object's. */
    @Test
    void noChangeIsMergedIntoTheStateOfAnotherObject() throws InterruptedException {
        PatchResult result = send(patch("status"), subresource -> {
            if (subresource != null) {
                throw conflict();
            }
            return object("new", "9");
        });
        assertThat(result).isInstanceOf(PatchResult.Gone.class);
        assertThat(sent).extracting(Sent::subresource).containsExactly("status", null);
    }

    private static ApiException conflict() {
        return ApiException.of(RequestDescription.ofPath("/x"), "https://server", 409, new byte[0], null);
    }
}
