package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.show.Shown;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.status.Subject;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The scale subresource: a narrow view of an object's replicas. Thread-safe. */
final class Scale {
    private static final String API_VERSION = "autoscaling/v1";
    private final Reading reading;
    private final Updating updating;
    private final Applying applying;

    Scale(Reading reading, Updating updating, Applying applying) {
        this.reading = reading;
        this.updating = updating;
        this.applying = applying;
    }

    Answer answer(Call call) {
        return switch (call.request().method()) {
            case "GET" -> get(call);
            case "PUT" -> {
                ObjectNode sent = sent(call);
                yield change(call, shown -> sent);
            }
            case "PATCH" -> patch(call);
            case "POST" -> throw ApiException.verbNotSupported("create", call.subject());
            default -> throw ApiException.verbNotSupported("delete", call.subject());
        };
    }

    private Answer get(Call call) {
        ScaleView view = new ScaleView(call.resource());
        ObjectNode object = Shown.tree(call.resource(), reading.get(call));
        if (!view.isSet(object)) {
            throw ApiException.internal("the spec replicas field \"" + view.wantedPath() + "\" does not exist");
        }
        return new Answer(200, view.of(object));
    }

    private static ObjectNode sent(Call call) {
        WriteOptions.check(call.request(), "UpdateOptions");
        if (!(Bodies.document(call) instanceof ObjectNode sent)) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type Scale)");
        }
        String apiVersion = Json.string(sent, "apiVersion");
        if (!apiVersion.isEmpty() && !apiVersion.equals(API_VERSION)) {
            throw ApiException.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + API_VERSION + ")");
        }
        String kind = Json.string(sent, "kind");
        if (!kind.isEmpty() && !kind.equals("Scale")) {
            throw ApiException.badRequest(kind + " in version \"v1\" cannot be handled as a Scale: no kind \"" + kind
                    + "\" is registered for version \"" + API_VERSION + "\"");
        }
        Updating.checkNames(call, sent);
        return sent;
    }

    private Answer patch(Call call) {
        if (Bodies.mediaType(call.request()).equals("application/apply-patch+yaml")) {
            return apply(call);
        }
        Updating.Change patch = Patching.edit(call);
        return change(call, shown -> {
            ObjectNode scale = patch.apply(shown);
            Updating.checkNames(call, scale);
            return scale;
        });
    }

    /** An applied scale is an applied object that has nothing but the number of replicas. */
    private Answer apply(Call call) {
        ScaleView view = new ScaleView(call.resource());
        Answer answer = applying.apply(call, "Scale", API_VERSION, scale -> {
            ObjectNode object = Json.object();
            object.put("apiVersion", call.resource().apiVersion())
                    .put("kind", call.resource().kind());
            object.set("metadata", scale.path("metadata"));
            view.set(object, wanted(call, view, scale));
            return object;
        });
        return new Answer(200, view.of(answer.object()));
    }

    private Answer change(Call call, Updating.Change edit) {
        ScaleView view = new ScaleView(call.resource());
        Answer answer = updating.change(call, present -> {
            ObjectNode scale = edit.apply(view.of(present));
            String version = Json.string(scale, "metadata", "resourceVersion");
            if (!version.isEmpty()) {
                Json.child(present, "metadata").put("resourceVersion", version);
            }
            view.set(present, wanted(call, view, scale));
            return present;
        });
        return new Answer(200, view.of(answer.object()));
    }

    private static long wanted(Call call, ScaleView view, ObjectNode scale) {
        JsonNode replicas = scale.path("spec").path("replicas");
        Resource resource = call.resource();
        if (resource.isCustom() && !replicas.isIntegralNumber()) {
            throw ApiException.badRequest("the spec replicas field \"" + view.wantedPath() + "\" cannot be empty");
        }
        long wanted = replicas.longValue(0);
        if (wanted < 0 && !resource.isCustom()) { // the rules of custom kinds tell the rest
            throw ApiException.invalid(
                    new Subject("autoscaling", "Scale", call.name()),
                    List.of(Cause.invalid(
                            "spec.replicas", String.valueOf(wanted), "must be greater than or equal to 0")));
        }
        return wanted;
    }
}
