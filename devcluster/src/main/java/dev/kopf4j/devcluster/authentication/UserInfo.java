package dev.kopf4j.devcluster.authentication;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The user of a request. Immutable. */
public record UserInfo(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    /** The group of all authenticated users. */
    public static final String AUTHENTICATED = "system:authenticated";
    /** The group that may do everything. */
    public static final String MASTERS = "system:masters";

    /** The administrator of the cluster. */
    public static final UserInfo ADMIN =
            new UserInfo("kubernetes-admin", "", List.of(MASTERS, AUTHENTICATED), Map.of());
    /** The user of requests without credentials. */
    public static final UserInfo ANONYMOUS =
            new UserInfo("system:anonymous", "", List.of("system:unauthenticated"), Map.of());

    /** A user with credentials of another kind than a service account. */
    public static UserInfo user(String name) {
        return new UserInfo(name, "", List.of(AUTHENTICATED), Map.of());
    }

    /** The account of one of the server's own controllers. */
    public static UserInfo controller(String name) {
        return serviceAccount("kube-system", name);
    }

    private static UserInfo serviceAccount(String namespace, String name) {
        return new UserInfo(
                "system:serviceaccount:" + namespace + ":" + name,
                "",
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, AUTHENTICATED),
                Map.of());
    }

    /** A copy with unmodifiable parts. */
    public UserInfo {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    /** The user as reviews show it. */
    public ObjectNode info() {
        ObjectNode info = Json.object().put("username", name);
        if (!uid.isEmpty()) {
            info.put("uid", uid);
        }
        if (!groups.isEmpty()) {
            info.set("groups", Json.array(groups));
        }
        if (!extra.isEmpty()) {
            ObjectNode more = info.putObject("extra");
            extra.forEach((key, values) -> more.set(key, Json.array(values)));
        }
        return info;
    }

    /** Whether the user may do everything. */
    public boolean isMaster() {
        return groups.contains(MASTERS);
    }
}
