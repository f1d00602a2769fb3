package dev.kopf4j.persistence.conventions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Objects and patches for the tests of storages, written with single quotes. */
public final class SampleBodies {
    private SampleBodies() {}

    public static ObjectNode json(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(UTF_8));
    }

    public static ObjectNode example() {
        return json("{'apiVersion':'kopf.dev/v1','kind':'KopfExample',"
                + "'metadata':{'name':'x','namespace':'ns','uid':'u1','resourceVersion':'101'},'spec':{'field':'a'}}");
    }

    public static ObjectNode replicaSetOfDeployment() {
        ObjectNode body = example().put("kind", "ReplicaSet");
        FieldPath.parse("metadata.ownerReferences")
                .ensure(body, Json.parse("[{\"kind\":\"X\"},{\"kind\":\"Deployment\"}]"));
        return body;
    }

    public static ObjectNode annotated(ObjectNode body, String annotation, String value) {
        AnnotationKeys.field(annotation).ensure(body, StringNode.valueOf(value));
        return body;
    }

    public static ObjectNode with(ObjectNode body, String field, String json) {
        FieldPath.parse(field).ensure(body, Json.parse(json.replace('\'', '"')));
        return body;
    }

    public static JsonNode annotation(ObjectNode body, String annotation) {
        JsonNode value = AnnotationKeys.field(annotation).resolve(body);
        return value == null ? NullNode.getInstance() : value;
    }

    public static JsonNode parsed(ObjectNode body, String annotation) {
        return Json.parse(annotation(body, annotation).stringValue());
    }

    /** Hears of broken state, and keeps it as text. */
    public static final class Heard implements UnreadableStateListener {
        public final List<String> problems = new ArrayList<>();

        @Override
        public void foundUnreadable(JsonNode body, String place, String problem) {
            problems.add(ObjectReference.of(body).describe() + ": " + place + ": " + problem);
        }
    }
}
