package dev.kopf4j.engine.peering;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.text.PlaceText;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A peering object.
 *
 * @param resource its resource, one of several
 * @param namespace its namespace; null if it is of the whole cluster
 * @param name its name
 */
public record PeeringObject(Resource resource, @Nullable String namespace, String name) {
    boolean isMe(ObjectNode object) {
        return Objects.equals(name, object.path("metadata").path("name").asString(""));
    }

    /** Changes the object's status. */
    void patch(KubernetesApi api, ObjectNode patch) throws InterruptedException {
        String part = resource.subresources().contains("status") ? "status" : null;
        api.patch(resource, namespace, name, part, PatchType.MERGE, patch);
    }

    /** {@code 'default' cluster-wide}, {@code 'default' in 'ns'}. */
    @Override
    public String toString() {
        return "'" + name + "' " + PlaceText.of(namespace);
    }

    /**
     * Which peering objects an operator takes part in. Immutable but for the settings.
     *
     * @param settings whether it takes part at all, and by which name
     * @param clusterwide whether the whole cluster is served
     */
    public record PeeringPlaces(OperatorSettings.Peering settings, boolean clusterwide) {
        /** The API group of the peering objects that people are told to make. */
        public static final String GROUP = "kopf.dev";

        static final Set<String> GROUPS = Set.of(GROUP, "zalando.org");

        /** The API groups of peering objects, which have to be discovered; empty if it takes part in no peering. */
        public Set<String> groups() {
            return settings.standalone() ? Set.of() : GROUPS;
        }

        /** The plural name of the peering objects. */
        public String plural() {
            return plural(clusterwide);
        }

        /** True if objects of this resource are peering objects for this operator. */
        boolean isPeering(Resource resource) {
            return isPeering(resource, clusterwide);
        }

        /** True if objects of this resource are peering objects of operators for the cluster, or for namespaces. */
        static boolean isPeering(Resource resource, boolean clusterwide) {
            return GROUPS.contains(resource.group())
                    && resource.version().equals("v1")
                    && resource.plural().equals(plural(clusterwide));
        }

        private static String plural(boolean clusterwide) {
            return clusterwide ? "clusterkopfpeerings" : "kopfpeerings";
        }

        /**
         * The peering objects.
         *
         * @param served all resources of the cluster, as far as they are known
         * @param namespaces the namespaces to be served; null among them is the cluster
         */
        public Set<PeeringObject> of(Collection<Resource> served, Set<@Nullable String> namespaces) {
            Set<PeeringObject> places = new LinkedHashSet<>();
            if (!settings.standalone()) {
                for (Resource resource : served.stream().filter(this::isPeering).toList()) {
                    namespaces.forEach(
                            namespace -> places.add(new PeeringObject(resource, namespace, settings.name())));
                }
            }
            return places;
        }
    }
}
