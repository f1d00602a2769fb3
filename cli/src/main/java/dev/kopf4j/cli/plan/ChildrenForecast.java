package dev.kopf4j.cli.plan;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.children.ChildOutlook;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a version would do to the children of objects, by the functions that say which ones there ought to be: they, and
 * nothing else, are called with a copy of the cluster in memory, and the engine brings the copy to what they say.
 * Immutable.
 *
 * @param children what would be done to each, by its name
 * @param asked the uids of the parents whose functions were called
 * @param failures the calls that failed, and why
 * @param remarks what was not as it should be
 */
public record ChildrenForecast(
        Map<String, OfChild> children, Set<String> asked, List<String> failures, List<String> remarks) {
    /** The key is one key of the object, though it has dots. */
    private static final List<String> APPLIED_KEYS = List.of("metadata", "annotations", "kopf4j.dev/applied");

    /** Copies the collections. */
    public ChildrenForecast {
        children = Map.copyOf(children);
        asked = Set.copyOf(asked);
        failures = List.copyOf(failures);
        remarks = List.copyOf(remarks);
    }

    /** What would be done to a child. */
    public enum Fate {
        /** It is not there. */
        CREATED("would be created"),
        /** It is there, and differs. */
        APPLIED("would be applied"),
        /** No handler wants it any more. */
        DELETED("would be deleted, as no handler wants it"),
        /** It is as it ought to be, or is left alone. */
        KEPT("nothing would be written"),
        /** It ought to be written, and cannot be: the server refuses it. */
        REFUSED("would not be written");

        private final String words;

        Fate(String words) {
            this.words = words;
        }

        /** In words for people, as said of a child. */
        public String words() {
            return words;
        }
    }

    /**
     * A child.
     *
     * @param parents the uids of its owners
     * @param fate what would be done to it
     * @param fields those that differ, each with its value in the cluster and the one to come
     * @param note why nothing would be written, or no fields are named; empty if there is nothing to be said
     */
    public record OfChild(Set<String> parents, Fate fate, List<String> fields, String note) {
        /** Copies the collections. */
        public OfChild {
            parents = Set.copyOf(parents);
            fields = List.copyOf(fields);
        }

        static OfChild of(Set<String> parents, Fate fate, String note) {
            return new OfChild(parents, fate, List.of(), note);
        }

        /** In words for people; the fields follow. */
        public String words() {
            return fate.words()
                    + (fields.isEmpty() ? "" : ", because these fields differ:")
                    + (note.isEmpty() ? "" : " (" + note + ")");
        }
    }

    /** How a child is named here: {@code deployments.apps default/home}. */
    public static String name(Resource resource, @Nullable String namespace, String name) {
        return new Place(resource.group(), resource.plural(), namespace == null ? "" : namespace, name).toString();
    }

    /** Without any children. */
    static ChildrenForecast none() {
        return new ChildrenForecast(Map.of(), Set.of(), List.of(), List.of());
    }

    /** True if any handler says which children there ought to be. */
    public static boolean concerns(HandlerRegistry registry) {
        return registry.handlers().stream().anyMatch(each -> each.kind() == HandlerKind.RECONCILE);
    }

    /**
     * Calls the functions of a version. What they print goes to the standard error.
     *
     * @param limit how long it may take, in virtual time
     * @throws OperatorException if they cannot be called in virtual time
     */
    public static ChildrenForecast of(Version version, ClusterCopy copy, Instant now, Duration limit)
            throws InterruptedException {
        PrintStream out = System.out;
        System.setOut(System.err);
        try {
            Trial trial = Trial.ofChildren(version, copy, now, limit);
            trial.apply(version.definitions());
            var _ = trial.run();
            ChildrenForecast forecast = new Findings(version, copy, trial).tell();
            trial.end();
            return forecast;
        } finally {
            System.setOut(out);
        }
    }

    /** What a trial has shown. Confined. */
    private static final class Findings {
        private final ClusterCopy copy;
        private final Trial trial;
        private final String fieldManager;
        private final Map<String, Map<String, RestWatch.Trouble>> troubles = new HashMap<>();
        private final Map<String, OfChild> children = new TreeMap<>();

        Findings(Version version, ClusterCopy copy, Trial trial) {
            this.copy = copy;
            this.trial = trial;
            this.fieldManager = version.plan().settings().children().fieldManager();
            trial.troublesOfChildren().forEach((uid, each) -> troubles.put(uid, new TreeMap<>(each)));
        }

        ChildrenForecast tell() {
            Map<String, String> asked = new TreeMap<>();
            Set<String> failures = new LinkedHashSet<>();
            for (RestWatch.Call call : trial.calls()) {
                if (call.kind() == HandlerKind.RECONCILE) {
                    ObjectNode parent = copy.find(call.place());
                    asked.put(parent == null ? "" : uid(parent), call.place().namespace());
                    if (call.failure() != null) {
                        failures.add(call.kind().annotation() + " '" + call.handler() + "' has failed for "
                                + call.place() + ": " + call.failure());
                    }
                }
            }
            Map<Place, Optional<ObjectNode>> written = trial.written();
            written.forEach(this::written);
            copy.places().stream()
                    .filter(place -> !written.containsKey(place))
                    .forEach(place -> untouched(place, asked.keySet()));
            troubles.forEach((uid, each) -> each.forEach((child, trouble) ->
                    children.put(inNamespace(child, asked.getOrDefault(uid, "")), ofTrouble(Set.of(uid), trouble))));
            return new ChildrenForecast(children, asked.keySet(), List.copyOf(failures), trial.remarks());
        }

        private static OfChild ofTrouble(Set<String> parents, RestWatch.Trouble trouble) {
            return OfChild.of(parents, trouble.failed() ? Fate.REFUSED : Fate.KEPT, trouble.why());
        }

        /** {@code Deployment default/home}. */
        private static String inNamespace(String title, String namespace) {
            return namespace.isEmpty() || title.contains("/") ? title : title.replaceFirst(" ", " " + namespace + "/");
        }

        private void written(Place place, Optional<ObjectNode> now) {
            ObjectNode before = copy.find(place);
            ObjectNode known = now.orElse(before);
            OfChild found = compare(place, before == null ? null : ClusterCopy.withoutSteps(before), now.orElse(null));
            if (known != null && found != null) {
                var _ = takeTroubles(known);
                children.put(place.toString(), found);
            }
        }

        /** A child that nobody has written, as far as its parents were asked at all. */
        private void untouched(Place place, Set<String> asked) {
            ObjectNode body = copy.find(place);
            if (body == null || !ChildOutlook.of(body, fieldManager).made()) {
                return;
            }
            Set<String> owners = owners(body);
            if (owners.stream().anyMatch(asked::contains)) {
                RestWatch.Trouble trouble = takeTroubles(body);
                children.put(
                        place.toString(),
                        trouble == null ? OfChild.of(owners, Fate.KEPT, "") : ofTrouble(owners, trouble));
            }
        }

        /** What was said of a child is told with it; nothing else is left for those that are not there. */
        private RestWatch.@Nullable Trouble takeTroubles(ObjectNode child) {
            RestWatch.Trouble trouble = null;
            String name = child.path("metadata").path("name").asString("");
            String namespace = child.path("metadata").path("namespace").asString("");
            String kind = child.path("kind").asString("");
            for (String uid : owners(child)) {
                Map<String, RestWatch.Trouble> ofParent = troubles.getOrDefault(uid, new TreeMap<>());
                for (String title : List.of(kind + " " + name, kind + " " + namespace + "/" + name)) {
                    RestWatch.Trouble found = ofParent.remove(title);
                    trouble = found == null ? trouble : found;
                }
            }
            return trouble;
        }
    }

    /** What was done to a child that was written; null if it was made and deleted. */
    static @Nullable OfChild compare(Place place, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        if (after == null || after.path("metadata").has("deletionTimestamp")) {
            return before == null ? null : OfChild.of(owners(before), Fate.DELETED, "");
        }
        if (before == null) {
            return OfChild.of(owners(after), Fate.CREATED, "");
        }
        if (place.isSecret()) {
            return OfChild.of(
                    owners(after), Fate.APPLIED, "Secrets are not read: which of its fields differ is not known");
        }
        List<String> fields = new ArrayList<>();
        for (JsonDiff.Item item : Differences.between(before, after)) {
            boolean ofStatus = item.field().keys().getFirst().equals("status");
            if (!ofStatus && !item.field().keys().equals(APPLIED_KEYS)) {
                fields.addAll(Differences.texts(item, true));
            }
        }
        return new OfChild(
                owners(after), Fate.APPLIED, fields, fields.isEmpty() ? "no field differs; it is marked anew" : "");
    }

    private static Set<String> owners(ObjectNode body) {
        Set<String> owners = new TreeSet<>();
        body.path("metadata")
                .path("ownerReferences")
                .forEach(each -> owners.add(each.path("uid").asString("")));
        return owners;
    }

    private static String uid(ObjectNode body) {
        return body.path("metadata").path("uid").asString("");
    }

    /** As JSON, from which {@link #from} makes it again. */
    public ObjectNode json() {
        ObjectNode json = Json.object();
        ObjectNode all = json.putObject("children");
        new TreeMap<>(children).forEach((name, child) -> {
            ObjectNode one = all.putObject(name);
            one.put("fate", child.fate().name().toLowerCase(Locale.ROOT));
            one.set("parents", Json.fromJava(List.copyOf(child.parents())));
            one.set("fields", Json.fromJava(child.fields()));
            one.put("note", child.note());
        });
        json.set("asked", Json.fromJava(List.copyOf(asked)));
        json.set("failures", Json.fromJava(failures));
        json.set("remarks", Json.fromJava(remarks));
        return json;
    }

    /** Reads what {@link #json} has made. */
    public static ChildrenForecast from(JsonNode json) {
        Map<String, OfChild> children = new HashMap<>();
        json.path("children")
                .properties()
                .forEach(each -> children.put(
                        each.getKey(),
                        new OfChild(
                                Set.copyOf(texts(each.getValue().path("parents"))),
                                Fate.valueOf(each.getValue()
                                        .path("fate")
                                        .asString("")
                                        .toUpperCase(Locale.ROOT)),
                                texts(each.getValue().path("fields")),
                                each.getValue().path("note").asString(""))));
        return new ChildrenForecast(
                children,
                Set.copyOf(texts(json.path("asked"))),
                texts(json.path("failures")),
                texts(json.path("remarks")));
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(each -> each.asString("")).toList();
    }
}
