package dev.kopf4j.engine;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads custom resource definitions from a cluster, for people. Thread-safe. */
public final class InstalledDefinitions {
    private final OperatorEnvironment operatorEnvironment;

    /** Those of the cluster that the builder was given. */
    public InstalledDefinitions(OperatorBuilder builder) {
        SystemPlatform platform = new SystemPlatform();
        this.operatorEnvironment =
                new OperatorEnvironment(platform, ClusterAccess.of(OperatorPlan.of(builder), platform));
    }

    /**
     * The definitions of these names as plain maps and lists; those that the cluster does not have are left out.
     *
     * @throws OperatorException if the cluster cannot be reached, or refuses to tell
     */
    public Map<String, Map<String, Object>> get(List<String> names) throws InterruptedException {
        Platform platform = operatorEnvironment.platform();
        try (ConnectionProvider connectionProvider =
                operatorEnvironment.access().connect(platform, NetworkSettings.DEFAULTS)) {
            KubernetesApi api = new KubernetesApi(platform, connectionProvider, NetworkSettings.DEFAULTS);
            ServerConnectionCheck.make(api);
            Map<String, Map<String, Object>> found = new LinkedHashMap<>();
            for (String name : names) {
                get(api, name, found);
            }
            return found;
        } catch (ClientException e) {
            throw new OperatorException("The custom resource definitions cannot be read: " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("unchecked") // an object is a map
    private static void get(KubernetesApi api, String name, Map<String, Map<String, Object>> found)
            throws InterruptedException {
        try {
            found.put(name, (Map<String, Object>)
                    (Map<?, ?>) Json.toMutableMap(api.get(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, null, name)));
        } catch (NotFoundException e) {
            // The cluster does not have it: that is an answer, too.
        }
    }
}
