package dev.kopf4j.cli.cluster;

import dev.kopf4j.devcluster.Options;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells the kubeconfigs that an embedded cluster has written from those of people, which may have the only credentials
 * of real clusters. Immutable.
 *
 * @param servers the names and addresses by which the cluster that is about to start will be known
 */
record OwnKubeconfig(Set<String> servers) {
    private static final String NAME = "devcluster";
    private static final Set<String> USERS = Set.of("admin", "client");
    private static final Set<String> FIELDS =
            Set.of("apiVersion", "kind", "clusters", "users", "contexts", "current-context");

    OwnKubeconfig {
        servers = Set.copyOf(servers);
    }

    /** What a cluster with these options writes, or an earlier one has written. */
    static OwnKubeconfig of(Options options) {
        Set<String> servers = new HashSet<>(options.names());
        servers.add(options.address().getHostAddress());
        return new OwnKubeconfig(servers);
    }

    /** True if nothing is in it but one embedded cluster: as it was written, or as good as that. */
    boolean describes(String text) {
        List<JsonNode> documents = new ArrayList<>();
        try {
            new Load(LoadSettings.builder().build())
                    .loadAllFromString(text)
                    .forEach(each -> documents.add(JsonMapper.shared().valueToTree(each)));
        } catch (YamlEngineException | JacksonException e) {
            return false;
        }
        return documents.size() == 1 && describes(documents.getFirst());
    }

    private boolean describes(JsonNode config) {
        JsonNode cluster = only(config.path("clusters"));
        JsonNode user = only(config.path("users"));
        JsonNode context = only(config.path("contexts"));
        return FIELDS.containsAll(config.propertyNames())
                && text(config, "current-context").equals(NAME)
                && text(cluster, "name").equals(NAME)
                && text(context, "name").equals(NAME)
                && text(context.path("context"), "cluster").equals(NAME)
                && USERS.contains(text(user, "name"))
                && text(context.path("context"), "user").equals(text(user, "name"))
                && isOwn(text(cluster.path("cluster"), "server"));
    }

    private static JsonNode only(JsonNode list) {
        return list.isArray() && list.size() == 1 ? list.path(0) : list.path("none");
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asString("");
    }

    private boolean isOwn(String server) {
        try {
            String host = URI.create(server).getHost();
            if (host == null) {
                return false;
            }
            String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return plain.equals("localhost") || servers.contains(plain) || isLoopback(plain);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false; // a name: nobody is asked where it leads
        }
    }
}
