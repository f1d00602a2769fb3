package dev.kopf4j.client.api;

import static dev.kopf4j.client.api.ApiDiscovery.text;
import static dev.kopf4j.client.api.ApiDiscovery.texts;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.TooManyRequestsException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.request.RequestSender;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds out what the cluster serves: by two requests where the server knows aggregated discovery (Kubernetes 1.27 and
 * later), else by one per group and version. Thread-safe.
 *
 * <p>A resource is preferred in the first version that serves it, in the server's order, as kubectl takes it: a group
 * may have newer versions for other resources alone.
 *
 * <p>If the server of a group is down, the other groups are found all the same, and
 * {@link DiscoveredResources#unavailable} names the group. What is preferred after a version that does not answer is
 * not known: nothing is.
 */
public final class ApiDiscovery {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
            // The same in Kubernetes 1.27 to 1.29.
            + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
            + "application/json";

    private final RequestSender requestSender;
    private final RequestSender withoutRetries;

    /** Makes a discovery that sends its requests through the given sender. */
    public ApiDiscovery(RequestSender requestSender) {
        this.requestSender = requestSender;
        NetworkSettings once = requestSender.settings().withErrorBackoffs();
        this.withoutRetries = requestSender.with(once);
    }

    /**
     * What was found.
     *
     * @param resources all resources, in all versions
     * @param unavailable the groups that exist, but whose server does not answer
     */
    public record DiscoveredResources(List<Resource> resources, Set<String> unavailable) {
        /** Copies the collections. */
        public DiscoveredResources {
            resources = List.copyOf(resources);
            unavailable = Set.copyOf(unavailable);
        }
    }

    /** Returns all resources. */
    public List<Resource> resources() throws InterruptedException {
        return scan(null).resources();
    }

    /** Returns the resources of these groups only; the name of the core group is empty. Unknown groups have none. */
    public List<Resource> resources(Set<String> groups) throws InterruptedException {
        return scan(groups).resources();
    }

    /** Returns the resources of these groups, or of all groups (null), and the groups that do not answer. */
    public DiscoveredResources scan(@Nullable Set<String> groups) throws InterruptedException {
        List<Resource> resources = new ArrayList<>();
        Set<String> unavailable = new TreeSet<>();
        if (groups == null || groups.contains("")) {
            scanCore(resources, unavailable);
        }
        if (groups == null || groups.stream().anyMatch(group -> !group.isEmpty())) {
            scanRoot("/apis", groups, resources, unavailable);
        }
        return new DiscoveredResources(resources, unavailable);
    }

    /** Returns the server's version, as {@code /version} gives it. */
    public ObjectNode version() throws InterruptedException {
        return get(requestSender, "/version", "application/json");
    }

    /**
     * API servers by themselves have no core API, and some proxies refuse it: nothing is there then, as for kubectl.
     */
    private void scanCore(List<Resource> resources, Set<String> unavailable) throws InterruptedException {
        try {
            scanRoot("/api", null, resources, unavailable);
        } catch (NotFoundException | ForbiddenException e) {
            log.debug("The core API is not served: {}", e.getMessage());
        }
    }

    private void scanRoot(String root, @Nullable Set<String> groups, List<Resource> resources, Set<String> unavailable)
            throws InterruptedException {
        ObjectNode answer = get(requestSender, root, AGGREGATED);
        if ("APIGroupDiscoveryList".equals(answer.path("kind").asString(""))) {
            AggregatedDiscovery.read(answer, groups, resources, unavailable);
            return;
        }
        Set<String> found = new HashSet<>();
        for (LegacyDiscovery version : LegacyDiscovery.listed(answer)) {
            if (groups == null || groups.contains(version.group())) {
                scanVersion(version, preference(version.group(), found, unavailable), resources, unavailable);
            }
        }
    }

    /**
     * True for the plural names that a group has in no version before, if it is asked in the order of preference.
     *
     * @param found those that it has in versions before, with the group
     */
    private static Predicate<String> preference(String group, Set<String> found, Set<String> unavailable) {
        boolean known = !unavailable.contains(group);
        return plural -> group.isEmpty() || (found.add(plural + "." + group) && known);
    }

    private void scanVersion(
            LegacyDiscovery version, Predicate<String> preferred, List<Resource> resources, Set<String> unavailable)
            throws InterruptedException {
        try {
            resources.addAll(version.resources(describe(version), preferred));
        } catch (NotFoundException e) {
            log.debug("There are no resources in {} any more.", version.path());
        } catch (NoCredentialsException e) {
            // No other request would succeed either.
            throw e;
        } catch (ClientException e) {
            // Whatever it is: an aggregated API may answer anything, and must not hold up the others.
            log.warn("The API group '{}' is not available now: {}", version.group(), e.getMessage());
            unavailable.add(version.group());
        }
    }

    /** A server that fails or refuses may be down for long; one that is overloaded or was cut off, for a moment. */
    private ObjectNode describe(LegacyDiscovery version) throws InterruptedException {
        try {
            return get(withoutRetries, version.path(), "application/json");
        } catch (TooManyRequestsException | ConnectionFailedException e) {
            return get(requestSender, version.path(), "application/json");
        }
    }

    private static ObjectNode get(RequestSender requestSender, String path, String accepted)
            throws InterruptedException {
        TransportRequest transportRequest = new TransportRequest("GET", path, Map.of("Accept", accepted), null);
        return requestSender.send(RequestDescription.ofPath(path), transportRequest);
    }

    /**
     * The resource of one version of a custom resource definition, as discovery tells of it.
     *
     * @param spec that of the definition
     * @param version one of its versions
     */
    public static Resource ofDefinition(JsonNode spec, JsonNode version, boolean preferred) {
        JsonNode names = spec.path("names");
        String kind = text(names, "kind");
        return new Resource(
                text(spec, "group"),
                text(version, "name"),
                new Resource.Names(
                        text(names, "plural"),
                        kind,
                        LegacyDiscovery.singular(text(names, "singular"), kind),
                        Set.copyOf(texts(names, "shortNames")),
                        Set.copyOf(texts(names, "categories"))),
                Set.copyOf(version.path("subresources").propertyNames()),
                "Namespaced".equals(text(spec, "scope")),
                preferred,
                Set.of());
    }

    static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    static List<String> texts(JsonNode node, String field) {
        return node.path(field).valueStream().map(value -> value.asString("")).toList();
    }

    /** Reads an {@code APIGroupDiscoveryList}: all groups, versions and resources in one document. */
    private static final class AggregatedDiscovery {
        private AggregatedDiscovery() {}

        static void read(
                JsonNode list, @Nullable Set<String> groups, List<Resource> resources, Set<String> unavailable) {
            for (JsonNode item : list.path("items")) {
                String group = text(item.path("metadata"), "name");
                if (groups == null || group.isEmpty() || groups.contains(group)) {
                    readGroup(group, item.path("versions"), resources, unavailable);
                }
            }
        }

        /** The versions are in the order of preference. */
        private static void readGroup(
                String group, JsonNode versions, List<Resource> resources, Set<String> unavailable) {
            Set<String> before = new HashSet<>();
            for (JsonNode version : versions) {
                List<Resource> found = resources(group, version, preference(group, before, unavailable));
                if (found.isEmpty() && "Stale".equals(text(version, "freshness"))) {
                    unavailable.add(group);
                }
                resources.addAll(found);
            }
        }

        private static List<Resource> resources(String group, JsonNode version, Predicate<String> preferred) {
            List<Resource> found = new ArrayList<>();
            for (JsonNode entry : version.path("resources")) {
                String plural = text(entry, "resource");
                String kind = text(entry.path("responseKind"), "kind");
                found.add(new Resource(
                        group,
                        text(version, "version"),
                        new Resource.Names(
                                plural,
                                kind,
                                LegacyDiscovery.singular(text(entry, "singularResource"), kind),
                                Set.copyOf(texts(entry, "shortNames")),
                                Set.copyOf(texts(entry, "categories"))),
                        subresources(entry),
                        "Namespaced".equals(text(entry, "scope")),
                        preferred.test(plural),
                        Set.copyOf(texts(entry, "verbs"))));
            }
            return found;
        }

        private static Set<String> subresources(JsonNode entry) {
            return entry.path("subresources")
                    .valueStream()
                    .map(sub -> text(sub, "subresource"))
                    .collect(Collectors.toSet());
        }
    }

    /** A version of a group, as listed by servers without aggregated discovery. */
    private record LegacyDiscovery(String group, String version) {

        /** The versions of {@code /api} or {@code /apis}; those of a group in the order of preference. */
        static List<LegacyDiscovery> listed(JsonNode root) {
            List<LegacyDiscovery> all = new ArrayList<>();
            texts(root, "versions").forEach(version -> all.add(new LegacyDiscovery("", version)));
            for (JsonNode group : root.path("groups")) {
                String preferred = text(group.path("preferredVersion"), "version");
                group.path("versions")
                        .valueStream()
                        .map(version -> text(version, "version"))
                        .sorted(Comparator.comparing(version -> !version.equals(preferred)))
                        .forEach(version -> all.add(new LegacyDiscovery(text(group, "name"), version)));
            }
            return all;
        }

        String path() {
            return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        }

        /** The resources of an {@code APIResourceList}; the entries with a slash are their subresources. */
        List<Resource> resources(JsonNode list, Predicate<String> preferred) {
            List<JsonNode> entries = list.path("resources").valueStream().toList();
            return entries.stream()
                    .filter(entry -> !text(entry, "name").contains("/"))
                    .map(entry -> resource(entry, subresources(entries, text(entry, "name") + "/"), preferred))
                    .toList();
        }

        private static Set<String> subresources(List<JsonNode> entries, String prefix) {
            return entries.stream()
                    .map(entry -> text(entry, "name"))
                    .filter(name -> name.startsWith(prefix))
                    .map(name -> name.substring(prefix.length()))
                    .collect(Collectors.toSet());
        }

        private Resource resource(JsonNode entry, Set<String> subresources, Predicate<String> preferred) {
            String plural = text(entry, "name");
            String kind = text(entry, "kind");
            return new Resource(
                    group,
                    version,
                    new Resource.Names(
                            plural,
                            kind,
                            singular(text(entry, "singularName"), kind),
                            Set.copyOf(texts(entry, "shortNames")),
                            Set.copyOf(texts(entry, "categories"))),
                    subresources,
                    entry.path("namespaced").asBoolean(false),
                    preferred.test(plural),
                    Set.copyOf(texts(entry, "verbs")));
        }

        static String singular(String told, String kind) {
            return told.isEmpty() ? kind.toLowerCase(Locale.ROOT) : told;
        }
    }
}
