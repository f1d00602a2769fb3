package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of a connection to a pod, a service or a node, which webhooks see: they are in the query. See
 * {@code PodExecOptions} and others in {@code core/v1/types.go} of the API library, and {@code ConnectResource} in
 * {@code pkg/endpoints/handlers/rest.go} of the apiserver library, v1.33. Pure.
 */
final class ConnectOptions {
    private static final List<String> FLAGS = List.of("stdin", "stdout", "stderr", "tty");
    private static final Map<String, List<String>> TEXTS = Map.of(
            "PodExecOptions", List.of("container"),
            "PodAttachOptions", List.of("container"),
            "PodProxyOptions", List.of("path"),
            "ServiceProxyOptions", List.of("path"),
            "NodeProxyOptions", List.of("path"));

    private static final Pattern PROXIED = Pattern.compile("^.*?/[^/]+/proxy/?(.*)$");

    private ConnectOptions() {}

    static ObjectNode of(ResourceRequest request, Resource.Subresource subresource) {
        String kind = subresource.kind();
        Map<String, List<String>> query = request.request().query();
        ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", kind);
        if (TEXTS.getOrDefault(kind, List.of()).contains("container")) {
            FLAGS.stream().filter(flag -> isOn(query.get(flag))).forEach(flag -> options.put(flag, true));
        }
        for (String text : TEXTS.getOrDefault(kind, List.of())) {
            String value = text.equals("path")
                    ? PROXIED.matcher(request.request().path()).replaceFirst("$1")
                    : request.request().parameter(text);
            if (!value.isEmpty()) {
                options.put(text, value);
            }
        }
        if (kind.equals("PodExecOptions") && query.containsKey("command")) {
            options.set("command", Json.array(query.get("command")));
        }
        if (kind.equals("PodPortForwardOptions") && query.containsKey("ports")) {
            ArrayNode ports = options.putArray("ports");
            query.get("ports").stream()
                    .filter(ConnectOptions::isNumber)
                    .forEach(port -> ports.add(Integer.parseInt(port)));
        }
        return options;
    }

    /** {@code Convert_Slice_string_To_bool}: a flag without a value is on. */
    private static boolean isOn(@org.jspecify.annotations.Nullable List<String> values) {
        return values != null && !List.of("false", "0").contains(values.getFirst());
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{1,9}");
    }
}
