package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Warnings about pods, and about objects that create pods. See {@code GetWarningsForPod} and
 * {@code GetWarningsForPodTemplate} in {@code pkg/api/pod/warnings.go}, v1.33. Pure.
 */
public final class PodWarnings {
    private static final String IN_POD = "this is used in the Pod's hostname, ";
    private static final String IN_POD_NAMES = "this is used in Pod names and hostnames, ";
    private static final String ADVICE = "which can result in surprising behavior; a DNS label is recommended: ";

    private PodWarnings() {}

    /** Warnings about a new pod. */
    public static List<String> ofPod(ObjectDraft draft) {
        if (!draft.isNew()) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>(name(draft, IN_POD));
        warnings.addAll(new PodSpecWarnings("spec")
                .check(draft.next().path("spec"), draft.next().path("metadata")));
        return warnings;
    }

    /** Warnings about the name of a new object whose pods have names that begin with it. */
    public static List<String> ofName(ObjectDraft draft) {
        return draft.isNew() ? name(draft, IN_POD_NAMES) : List.of();
    }

    /** Warnings about the template of an object that is new or whose spec changes. */
    public static List<String> ofTemplate(ObjectDraft draft, String... path) {
        ObjectNode before = draft.before();
        if (before != null && generation(draft.next()) == generation(before)) {
            return List.of();
        }
        String where = String.join(".", path) + ".spec";
        JsonNode template = Json.at(draft.next(), path);
        return new PodSpecWarnings(where).check(template.path("spec"), template.path("metadata"));
    }

    private static long generation(JsonNode object) {
        return object.path("metadata").path("generation").longValue(0);
    }

    private static List<String> name(ObjectDraft draft, String use) {
        String name = Json.string(draft.next(), "metadata", "name");
        List<String> problems = new ArrayList<>();
        if (name.length() > 63) {
            problems.add("must be no more than 63 characters");
        }
        if (name.contains(".")) {
            problems.add("must not contain dots");
        }
        return problems.isEmpty()
                ? List.of()
                : List.of("metadata.name: " + use + ADVICE + "[" + String.join(" ", problems) + "]");
    }
}
