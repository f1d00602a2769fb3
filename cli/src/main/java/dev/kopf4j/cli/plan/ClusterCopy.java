package dev.kopf4j.cli.plan;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.virtual.SimulatedCluster;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a cluster has of all that versions of an operator are concerned with, read once, by get and list only:
 * definitions, namespaces, watched objects, children. Immutable once it is read.
 *
 * <p>Objects keep their uids, versions, owners, statuses, deletions and managed fields. Secrets are read as a whole
 * only if a handler watches them; of those that are children only, the metadata is read.
 */
public final class ClusterCopy {
    /** In the names of annotations, whatever their prefix: docs/stored.md. */
    private static final String UNDOABLE_STEP = "/undo-step.";

    private static final int DEFINITIONS_AT_A_TIME = 20;
    private static final Set<String> BUILT_IN_GROUPS = Set.of("", "apps", "autoscaling", "batch", "policy");

    private final Map<String, ObjectNode> definitions = new LinkedHashMap<>();
    private final Map<String, byte[]> namespaces = new LinkedHashMap<>();
    private final Map<Place, Stored> objects = new LinkedHashMap<>();
    private final Set<String> remarks = new LinkedHashSet<>();
    /** In words, by their selectors. */
    private final Map<String, String> unwatched = new LinkedHashMap<>();

    private ClusterCopy() {}

    /**
     * An object as bytes, which take less than trees.
     *
     * @param version its version in the cluster, by which the copies are made, so that they have it, too; 0 if it is no
     *     number
     * @param bytes the object as JSON
     */
    @SuppressWarnings("ArrayRecordComponent") // kept, not compared
    private record Stored(long version, byte[] bytes) {
        static Stored of(byte[] bytes, ObjectNode object) {
            String version = object.path("metadata").path("resourceVersion").asString("");
            boolean number = !version.isEmpty()
                    && version.length() < 19
                    && version.chars().allMatch(each -> each >= '0' && each <= '9');
            return new Stored(number ? Long.parseLong(version) : 0, bytes);
        }
    }

    /**
     * Reads the cluster that the versions name.
     *
     * @param versions those that are concerned; the API version in which objects are read is that of the last one that
     *     watches them
     * @throws OperatorException if the cluster cannot be reached, or refuses what is asked
     */
    public static ClusterCopy read(List<Version> versions, Platform platform) throws InterruptedException {
        ClusterCopy copy = new ClusterCopy();
        Reading reading = new Reading(copy);
        for (int i = 0; i < versions.size(); i++) {
            boolean last = i == versions.size() - 1;
            OperatorPlan plan = versions.get(i).plan();
            ClusterSurvey survey = ClusterSurvey.of(plan, platform);
            List<Map<String, Object>> coming = versions.get(i).definitions();
            survey.look(found -> {
                survey.watchPlan().streams(found.served(), found.namespaces()).forEach(reading::wants);
                if (last) {
                    survey.unwatched(found.served())
                            .forEach(each -> copy.unwatched.put(each.selector().toString(), each.toString()));
                    reading.read(found.api(), survey.settings().watching().pageSize(), coming);
                }
                return copy;
            });
        }
        return copy;
    }

    /**
     * Reads one object, the objects of the kinds of its children in its namespace (of those of the whole cluster, the
     * ones that the operator has made) with their other parents, and all that are indexed: what the operator needs to
     * say which children the object ought to have, and to compare.
     *
     * @param parent the resource of the object
     * @param body the object, as it was read
     * @throws OperatorException if the cluster cannot be reached, or refuses what is asked
     */
    public static ClusterCopy ofChildren(Version version, Platform platform, Resource parent, ObjectNode body)
            throws InterruptedException {
        String namespace = parent.namespaced() ? Place.of(parent, body).namespace() : null;
        ClusterCopy copy = new ClusterCopy();
        Reading reading = new Reading(copy);
        OperatorPlan plan = version.plan();
        ClusterSurvey survey = ClusterSurvey.of(plan, platform);
        return survey.look(found -> {
            for (PlannedStream stream : survey.watchPlan().streams(found.served(), found.namespaces())) {
                reading.wantsOfChildren(stream, parent, namespace);
            }
            reading.readChildren(found.api(), survey.settings().watching().pageSize(), parent, body);
            if (survey.settings().execution().pauseAndRetry()) {
                Set<Resource> parents = survey.watchPlan().streams(found.served(), found.namespaces()).stream()
                        .filter(stream ->
                                stream.handlers().stream().anyMatch(each -> each.kind() == HandlerKind.RECONCILE))
                        .map(PlannedStream::resource)
                        .collect(Collectors.toSet());
                reading.readOtherParents(found.api(), survey.settings(), parents, namespace);
            }
            return copy;
        });
    }

    /** Writes it, so that {@link #from} gives it again. */
    public void write(DataOutputStream out) throws IOException {
        out.writeInt(definitions.size());
        for (Map.Entry<String, ObjectNode> each : definitions.entrySet()) {
            out.writeUTF(each.getKey());
            write(Json.bytes(each.getValue()), out);
        }
        out.writeInt(namespaces.size());
        for (Map.Entry<String, byte[]> each : namespaces.entrySet()) {
            out.writeUTF(each.getKey());
            write(each.getValue(), out);
        }
        out.writeInt(objects.size());
        for (Map.Entry<Place, Stored> each : objects.entrySet()) {
            out.writeUTF(each.getKey().group());
            out.writeUTF(each.getKey().plural());
            out.writeUTF(each.getKey().namespace());
            out.writeUTF(each.getKey().name());
            out.writeLong(each.getValue().version());
            write(each.getValue().bytes(), out);
        }
        out.writeInt(remarks.size());
        for (String each : remarks) {
            out.writeUTF(each);
        }
        out.writeInt(unwatched.size());
        for (Map.Entry<String, String> each : unwatched.entrySet()) {
            out.writeUTF(each.getKey());
            out.writeUTF(each.getValue());
        }
    }

    private static void write(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads what {@link #write} has written. */
    public static ClusterCopy from(DataInputStream in) throws IOException {
        ClusterCopy copy = new ClusterCopy();
        for (int left = in.readInt(); left > 0; left--) {
            copy.definitions.put(in.readUTF(), Json.parseObject(in.readNBytes(in.readInt())));
        }
        for (int left = in.readInt(); left > 0; left--) {
            copy.namespaces.put(in.readUTF(), in.readNBytes(in.readInt()));
        }
        for (int left = in.readInt(); left > 0; left--) {
            Place place = new Place(in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF());
            copy.objects.put(place, new Stored(in.readLong(), in.readNBytes(in.readInt())));
        }
        for (int left = in.readInt(); left > 0; left--) {
            copy.remarks.add(in.readUTF());
        }
        for (int left = in.readInt(); left > 0; left--) {
            copy.unwatched.put(in.readUTF(), in.readUTF());
        }
        return copy;
    }

    /** Puts a copy into a cluster of a simulated world. */
    SimulatedCluster in(SimulatedPlatform world, Options options) {
        return in(world, options, UnaryOperator.identity());
    }

    /** The same for an operator that takes no steps back: the objects remember none, of which it would tell. */
    SimulatedCluster withoutStepsIn(SimulatedPlatform world, Options options) {
        return in(world, options, bytes -> Json.bytes(withoutSteps(Json.parseObject(bytes))));
    }

    /** The object, which remembers no steps any more. */
    static ObjectNode withoutSteps(ObjectNode body) {
        if (body.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.propertyNames().stream()
                    .filter(each -> each.contains(UNDOABLE_STEP))
                    .toList()
                    .forEach(annotations::remove);
            if (annotations.isEmpty()) {
                ((ObjectNode) body.path("metadata")).remove("annotations");
            }
        }
        return body;
    }

    private SimulatedCluster in(SimulatedPlatform world, Options options, UnaryOperator<byte[]> seen) {
        SimulatedCluster cluster = new SimulatedCluster(world, options.foreignOwners(true));
        definitions.values().forEach(each -> cluster.importObject(Json.bytes(each)));
        namespaces.values().forEach(cluster::importObject);
        Set<String> unknown = new TreeSet<>();
        objects.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> each.getValue().version()))
                .forEach(each -> {
                    if (!cluster.importObject(seen.apply(each.getValue().bytes()))) {
                        unknown.add(each.getKey().resource());
                    }
                });
        cluster.server().compact();
        unknown.forEach(each -> remarks.add("The cluster in memory does not serve " + each + ": it is left out."));
        return cluster;
    }

    /** The definitions that are installed, by their names. Without webhooks that convert. */
    Map<String, ObjectNode> definitions() {
        return definitions;
    }

    /** An object as it was read; null if there was none. */
    @Nullable ObjectNode find(Place place) {
        Stored found = objects.get(place);
        return found == null ? null : Json.parseObject(found.bytes());
    }

    /** The objects that are in the copy, by their places. */
    Set<Place> places() {
        return objects.keySet();
    }

    /** The number of objects that were read, without definitions and namespaces. */
    public int size() {
        return objects.size();
    }

    /** What could not be read, or is not as it is in the cluster, in words for people. */
    public Set<String> remarks() {
        return remarks;
    }

    /** What handlers of the last version are for, and the cluster does not serve so: in words, by their selectors. */
    Map<String, String> unwatched() {
        return unwatched;
    }

    /** A definition whose objects nobody converts, as webhooks are not there. */
    static ObjectNode withoutWebhook(ObjectNode definition) {
        ObjectNode changed = definition.deepCopy();
        if (changed.path("spec")
                .path("conversion")
                .path("strategy")
                .asString("None")
                .equals("Webhook")) {
            ObjectNode none = changed.withObjectProperty("spec").putObject("conversion");
            none.put("strategy", "None").putNull("webhook");
        }
        return changed;
    }

    /** Collects what is wanted, and reads it. Confined; used once. */
    private static final class Reading {
        private final ClusterCopy copy;
        private final Map<List<@Nullable String>, Wanted> wanted = new LinkedHashMap<>();

        Reading(ClusterCopy copy) {
            this.copy = copy;
        }

        /**
         * Objects that are wanted.
         *
         * @param namespace where; null for everywhere
         * @param labels which of them; empty for all
         * @param watched true if a handler watches them; false if they are children only
         */
        private record Wanted(Resource resource, @Nullable String namespace, String labels, boolean watched) {
            Narrowing narrowing() {
                boolean secret = resource.group().isEmpty() && resource.plural().equals("secrets");
                return new Narrowing(labels, secret && !watched);
            }
        }

        void wants(PlannedStream stream) {
            boolean watched = !stream.handlers().isEmpty();
            Wanted more = new Wanted(
                    stream.resource(),
                    stream.namespace(),
                    watched ? "" : stream.narrowing().labelSelector(),
                    watched);
            wanted.merge(key(stream.resource(), stream.namespace()), more, Reading::both);
        }

        /** Of streams for children of a kind of parents, or for indices. */
        void wantsOfChildren(PlannedStream stream, Resource parent, @Nullable String namespace) {
            boolean indexed = stream.handlers().stream().anyMatch(each -> each.kind() == HandlerKind.INDEX);
            boolean children = stream.ofChildren().stream()
                    .anyMatch(each -> each.kind() == HandlerKind.RECONCILE
                            && each.declaration().selector().matches(parent));
            String where = !indexed && stream.resource().namespaced() && namespace != null ? namespace : null;
            boolean elsewhere = where != null && stream.namespace() != null && !where.equals(stream.namespace());
            if (indexed || (children && !elsewhere)) {
                // In a namespace, what others have made is read, too: it may stand in the way of a child of its name.
                boolean all = indexed || where != null || !stream.handlers().isEmpty();
                Wanted more = new Wanted(
                        stream.resource(),
                        where == null ? stream.namespace() : where,
                        all ? "" : stream.narrowing().labelSelector(),
                        indexed);
                wanted.merge(key(more.resource(), more.namespace()), more, Reading::both);
            }
        }

        private static List<@Nullable String> key(Resource resource, @Nullable String namespace) {
            List<@Nullable String> key = new ArrayList<>();
            key.add(resource.group());
            key.add(resource.plural());
            key.add(namespace);
            return key;
        }

        private static Wanted both(Wanted one, Wanted other) {
            return new Wanted(
                    other.resource(),
                    other.namespace(),
                    one.labels().equals(other.labels()) ? one.labels() : "",
                    one.watched() || other.watched());
        }

        void read(KubernetesApi api, int pageSize, List<Map<String, Object>> coming) throws InterruptedException {
            for (Map<String, Object> definition : coming) {
                readDefinition(api, definition);
            }
            for (Wanted each : wanted.values()) {
                readDefinition(api, each.resource());
            }
            for (Wanted each : wanted.values()) {
                list(api, each, pageSize);
                if (each.narrowing().metadataOnly()) {
                    copy.remarks.add("Secrets are children only: nothing but their metadata is read, so what would"
                            + " change in them is not told.");
                }
            }
            readNamespaces(api, pageSize);
        }

        void readChildren(KubernetesApi api, int pageSize, Resource parent, ObjectNode body)
                throws InterruptedException {
            readDefinition(api, parent);
            new Take(new Wanted(parent, null, "", true)).item(body);
            for (Wanted each : wanted.values()) {
                readDefinition(api, each.resource());
                list(api, each, pageSize);
            }
            readNamespaces(api, pageSize);
        }

        /**
         * Reads the other parents of children that were read: a child of theirs stands in the way of one of its name.
         * In the copy they are paused, so that their functions are not called. What the server refuses is remarked.
         */
        void readOtherParents(
                KubernetesApi api, OperatorSettings settings, Set<Resource> parents, @Nullable String namespace)
                throws InterruptedException {
            Set<String> owners = new TreeSet<>();
            Set<String> known = new TreeSet<>();
            List<JsonNode> references = new ArrayList<>();
            for (Stored each : copy.objects.values()) {
                JsonNode metadata = Json.parseObject(each.bytes()).path("metadata");
                known.add(metadata.path("uid").asString(""));
                metadata.path("ownerReferences").forEach(references::add);
            }
            references.removeIf(owner -> known.contains(owner.path("uid").asString("")));
            references.forEach(owner -> owners.add(owner.path("uid").asString("")));
            for (Resource resource : parents) {
                if (references.stream().noneMatch(owner -> isOf(owner, resource))) {
                    continue;
                }
                try {
                    readParents(api, settings, resource, namespace, owners);
                } catch (ApiException e) {
                    copy.remarks.add("Other parents, of " + resource + ", cannot be read, so what is said of a child of"
                            + " theirs may be wrong: " + e.getMessage());
                }
            }
        }

        private static boolean isOf(JsonNode owner, Resource resource) {
            String apiVersion = owner.path("apiVersion").asString("");
            String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
            return group.equals(resource.group())
                    && owner.path("kind").asString("").equals(resource.kind());
        }

        private void readParents(
                KubernetesApi api,
                OperatorSettings settings,
                Resource resource,
                @Nullable String namespace,
                Set<String> owners)
                throws InterruptedException {
            Interventions interventions = Interventions.of(settings);
            Wanted wanted = new Wanted(resource, resource.namespaced() ? namespace : null, "", false);
            readDefinition(api, resource);
            ListListener listener = body -> {
                if (owners.contains(body.path("metadata").path("uid").asString(""))) {
                    ObjectNode patch = Json.object();
                    interventions.ask(Interventions.Pause.ALL, body, patch);
                    new Take(wanted).item(MergePatch.apply(body, patch));
                }
            };
            var _ = api.unlessForbidden(way -> way.list(
                    resource,
                    wanted.namespace(),
                    wanted.narrowing(),
                    settings.watching().pageSize(),
                    listener));
        }

        private void list(KubernetesApi api, Wanted each, int pageSize) throws InterruptedException {
            var _ = api.unlessForbidden(
                    way -> way.list(each.resource(), each.namespace(), each.narrowing(), pageSize, new Take(each)));
        }

        /** Objects of a kind whose definition comes with the new version are wanted in whatever version there is. */
        private void readDefinition(KubernetesApi api, Map<String, Object> coming) throws InterruptedException {
            JsonNode spec = Json.fromJava(coming).path("spec");
            String group = spec.path("group").asString("");
            String plural = spec.path("names").path("plural").asString("");
            ObjectNode installed = definition(api, plural + "." + group);
            if (installed == null
                    || wanted.values().stream()
                            .anyMatch(each -> each.resource().group().equals(group)
                                    && each.resource().plural().equals(plural))) {
                return;
            }
            Resource resource = stored(installed);
            wanted.put(key(resource, null), new Wanted(resource, null, "", true));
        }

        private static Resource stored(ObjectNode definition) {
            JsonNode spec = definition.path("spec");
            JsonNode names = spec.path("names");
            String version = spec.path("versions")
                    .valueStream()
                    .filter(each -> each.path("storage").asBoolean(false))
                    .map(each -> each.path("name").asString(""))
                    .findFirst()
                    .orElse("v1");
            return new Resource(
                    spec.path("group").asString(""),
                    version,
                    new Resource.Names(
                            names.path("plural").asString(""),
                            names.path("kind").asString(""),
                            names.path("singular").asString(""),
                            Set.of(),
                            Set.of()),
                    Set.of(),
                    spec.path("scope").asString("").equals("Namespaced"),
                    true,
                    Set.of("list", "get"));
        }

        private void readDefinition(KubernetesApi api, Resource resource) throws InterruptedException {
            if (!BUILT_IN_GROUPS.contains(resource.group())) {
                String name = resource.plural() + "." + resource.group();
                try {
                    definition(api, name);
                } catch (ForbiddenException e) {
                    copy.remarks.add("The definition " + name + " may not be read: it is taken for one that allows"
                            + " everything.");
                    copy.definitions.put(name, permissive(resource));
                }
            }
        }

        /** The installed definition; null if there is none. */
        private @Nullable ObjectNode definition(KubernetesApi api, String name) throws InterruptedException {
            ObjectNode known = copy.definitions.get(name);
            if (known != null) {
                return known;
            }
            try {
                return kept(
                        name,
                        api.unlessForbidden(
                                each -> each.get(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, null, name)));
            } catch (NotFoundException e) {
                return null; // not there yet, or built in
            } catch (ForbiddenException e) {
                return listed(api, name);
            }
        }

        /** Operators may list definitions, and mostly may not get them. */
        private @Nullable ObjectNode listed(KubernetesApi api, String name) throws InterruptedException {
            List<ObjectNode> found = new ArrayList<>();
            ListListener named = each -> {
                if (each.path("metadata").path("name").asString("").equals(name)) {
                    found.add(each);
                }
            };
            var _ = api.unlessForbidden(way ->
                    way.list(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, null, DEFINITIONS_AT_A_TIME, named));
            return found.isEmpty() ? null : kept(name, found.getFirst());
        }

        private ObjectNode kept(String name, ObjectNode found) {
            found.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
            ObjectNode kept = withoutWebhook(found);
            copy.definitions.put(name, kept);
            return kept;
        }

        private static ObjectNode permissive(Resource resource) {
            ObjectNode definition =
                    Json.object().put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
            definition.putObject("metadata").put("name", resource.plural() + "." + resource.group());
            ObjectNode spec = definition.putObject("spec");
            spec.put("group", resource.group()).put("scope", resource.namespaced() ? "Namespaced" : "Cluster");
            spec.putObject("names")
                    .put("plural", resource.plural())
                    .put("singular", resource.singular())
                    .put("kind", resource.kind())
                    .put("listKind", resource.kind() + "List");
            ArrayNode versions = spec.putArray("versions");
            ObjectNode version = versions.addObject();
            version.put("name", resource.version()).put("served", true).put("storage", true);
            if (resource.subresources().contains("status")) {
                version.putObject("subresources").putObject("status");
            }
            version.putObject("schema")
                    .putObject("openAPIV3Schema")
                    .put("type", "object")
                    .put("x-kubernetes-preserve-unknown-fields", true);
            return definition;
        }

        private void readNamespaces(KubernetesApi api, int pageSize) throws InterruptedException {
            Set<String> used = new TreeSet<>();
            copy.objects.keySet().forEach(place -> used.add(place.namespace()));
            used.remove("");
            try {
                ListListener each = body ->
                        copy.namespaces.put(body.path("metadata").path("name").asString(""), Json.bytes(body));
                var _ = api.unlessForbidden(way -> way.list(WellKnownResources.NAMESPACES, null, pageSize, each));
            } catch (ForbiddenException e) {
                for (String name : used) {
                    ObjectNode made = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
                    made.putObject("metadata").put("name", name).put("uid", "namespace-" + name);
                    made.putObject("spec").putArray("finalizers").add("kubernetes");
                    made.putObject("status").put("phase", "Active");
                    copy.namespaces.put(name, Json.bytes(made));
                }
            }
        }

        /** Keeps the objects of a list. */
        private final class Take implements ListListener {
            private final Wanted wanted;

            Take(Wanted wanted) {
                this.wanted = wanted;
            }

            @Override
            public void item(ObjectNode object) {
                Resource resource = wanted.resource();
                object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
                copy.objects.put(Place.of(resource, object), Stored.of(Json.bytes(object), object));
            }

            @Override
            public void unreadable(UnreadableObject object) {
                copy.remarks.add("An object of " + wanted.resource().plural() + " cannot be read, and is left out: "
                        + Objects.toString(object));
            }
        }
    }
}
