package dev.kopf4j.devcluster.printing;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The cells that take more than a path: {@code pkg/printers/internalversion/printers.go}, and
 * {@code pkg/registry/apiservice/etcd/etcd.go} of kube-aggregator, v1.33. Pure.
 */
final class CellFunctions {
    private static final String NONE = "<none>";
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final int FEW = 3;
    private static final int FEW_METRICS = 2;

    private CellFunctions() {}

    /** A function of {@code columns.txt} by its name; IllegalArgumentException for an unknown one. */
    static CellExpression.Value named(String name) {
        return switch (name) {
            case "age" -> (object, now) -> CellExpression.given(age(object, now));
            case "accounts" -> of(CellFunctions::accounts);
            case "apiAvailable" -> of(CellFunctions::apiAvailable);
            case "claimCapacity" ->
                of(claim -> ofBound(claim, status -> or(Json.string(status, "capacity", "storage"), "0")));
            case "claimModes" -> of(claim -> ofBound(claim, status -> accessModes(Json.items(status, "accessModes"))));
            case "classParameters" -> of(CellFunctions::classParameters);
            case "controller" -> of(CellFunctions::controller);
            case "endpoints" -> of(CellFunctions::endpoints);
            case "eventCount" -> of(CellFunctions::eventCount);
            case "eventMessage" -> of(event -> Json.string(event, "message").strip());
            case "eventObject" -> of(CellFunctions::eventObject);
            case "eventSource" -> of(CellFunctions::eventSource);
            case "externalAddress" -> of(CellFunctions::externalAddress);
            case "gates" -> of(PodCells::gates);
            case "ingressPorts" ->
                of(ingress -> ingress.path("spec").path("tls").isEmpty() ? "80" : "80, 443");
            case "jobCompletions" -> of(CellFunctions::jobCompletions);
            case "jobDuration" -> (job, now) -> CellExpression.given(jobDuration(job, now));
            case "nodeRoles" -> of(CellFunctions::nodeRoles);
            case "paramRef" -> of(CellFunctions::paramRef);
            case "parentRef" -> of(CellFunctions::parent);
            case "podReady" -> of(PodCells::ready);
            case "podRestarts" -> (pod, now) -> CellExpression.given(PodCells.restarts(pod, now));
            case "podStatus" -> of(PodCells::status);
            case "ports" -> of(CellFunctions::ports);
            case "quotaLimits" -> of(quota -> quota(quota, true));
            case "quotaRequests" -> of(quota -> quota(quota, false));
            case "requestedDuration" -> of(CellFunctions::requestedDuration);
            case "scaleMetrics" -> of(CellFunctions::scaleMetrics);
            case "slicePorts" -> of(CellFunctions::slicePorts);
            default -> throw new IllegalArgumentException("no cell function " + name);
        };
    }

    private static CellExpression.Value of(Function<JsonNode, Object> function) {
        return (object, now) -> CellExpression.given(function.apply(object));
    }

    /** How long ago an object was created. */
    static String age(JsonNode object, Instant now) {
        return HumanDuration.of(Json.string(object, "metadata", "creationTimestamp"), now);
    }

    static String or(String value, String otherwise) {
        return value.isEmpty() ? otherwise : value;
    }

    /** A scalar as text; empty if it is missing. */
    private static String scalar(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? "" : value.asString();
    }

    static String joined(Stream<JsonNode> values, String separator) {
        return values.map(JsonNode::asString).collect(Collectors.joining(separator));
    }

    /** The first few words, and how many more there are. */
    static String few(Collection<String> words) {
        String shown = words.stream().limit(FEW).collect(Collectors.joining(","));
        return words.size() <= FEW ? shown : shown + " + " + (words.size() - FEW) + " more...";
    }

    /** The addresses of the ingress points of a load balancer. */
    static String addresses(Stream<JsonNode> ingress) {
        return ingress.map(each -> or(Json.string(each, "ip"), Json.string(each, "hostname")))
                .filter(each -> !each.isEmpty())
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
    }

    /** The short names of access modes, in the order of {@code GetAccessModesAsString}. */
    static String accessModes(Stream<JsonNode> modes) {
        List<String> given = modes.map(JsonNode::asString).toList();
        return Stream.of("ReadWriteOnce RWO", "ReadOnlyMany ROX", "ReadWriteMany RWX", "ReadWriteOncePod RWOP")
                .map(mode -> mode.split(" ", 2))
                .filter(mode -> given.contains(mode[0]))
                .map(mode -> mode[1])
                .collect(Collectors.joining(","));
    }

    private static String accounts(JsonNode binding) {
        return Json.items(binding, "subjects")
                .filter(subject -> Json.string(subject, "kind").equals("ServiceAccount"))
                .map(subject -> Json.string(subject, "namespace") + "/" + Json.string(subject, "name"))
                .collect(Collectors.joining(", "));
    }

    private static String externalAddress(JsonNode service) {
        JsonNode spec = service.path("spec");
        String given = joined(Json.items(spec, "externalIPs"), ",");
        return switch (Json.string(spec, "type")) {
            case "ExternalName" -> Json.string(spec, "externalName");
            case "LoadBalancer" -> {
                String balanced = addresses(
                        Json.at(service, "status", "loadBalancer", "ingress").valueStream());
                String both = balanced.isEmpty() || given.isEmpty() ? balanced + given : balanced + "," + given;
                yield or(both, "<pending>");
            }
            default -> or(given, NONE);
        };
    }

    private static String ports(JsonNode service) {
        List<String> words = new ArrayList<>();
        for (JsonNode port : service.path("spec").path("ports")) {
            int node = port.path("nodePort").intValue(0);
            words.add(scalar(port.path("port")) + (node > 0 ? ":" + node : "") + "/" + Json.string(port, "protocol"));
        }
        return String.join(",", words);
    }

    private static String endpoints(JsonNode endpoints) {
        List<String> words = new ArrayList<>();
        for (JsonNode subset : endpoints.path("subsets")) {
            List<String> addresses = Json.items(subset, "addresses")
                    .map(each -> Json.string(each, "ip"))
                    .toList();
            if (subset.path("ports").isEmpty()) {
                words.addAll(addresses);
            }
            for (JsonNode port : subset.path("ports")) {
                addresses.forEach(ip -> words.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":"
                        + port.path("port").asString()));
            }
        }
        return endpoints.path("subsets").isEmpty() ? NONE : few(words);
    }

    private static String slicePorts(JsonNode slice) {
        List<String> words = Json.items(slice, "ports")
                .map(port -> or(scalar(port.path("port")), or(Json.string(port, "name"), "*")))
                .toList();
        return few(words);
    }

    private static String classParameters(JsonNode ingressClass) {
        JsonNode parameters = ingressClass.path("spec").path("parameters");
        if (!parameters.isObject()) {
            return "";
        }
        String group = Json.string(parameters, "apiGroup");
        return Json.string(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/"
                + Json.string(parameters, "name");
    }

    /** What a claim's status says once it is bound; empty before. */
    private static String ofBound(JsonNode claim, Function<JsonNode, String> words) {
        return Json.string(claim, "spec", "volumeName").isEmpty() ? "" : words.apply(claim.path("status"));
    }

    private static String quota(JsonNode quota, boolean limits) {
        TreeMap<String, String> words = new TreeMap<>();
        quota.path("status").path("hard").properties().forEach(hard -> {
            if (hard.getKey().startsWith("limits.") == limits) {
                String used = or(Json.string(quota.path("status").path("used"), hard.getKey()), "0");
                words.put(hard.getKey(), used + "/" + hard.getValue().asString());
            }
        });
        return words.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String scaleMetrics(JsonNode autoscaler) {
        JsonNode metrics = autoscaler.path("spec").path("metrics");
        List<String> words = new ArrayList<>();
        for (int index = 0; index < Math.min(metrics.size(), FEW_METRICS); index++) {
            JsonNode current = autoscaler.path("status").path("currentMetrics").path(index);
            words.add(metric(metrics.get(index), current));
        }
        String more = metrics.size() > FEW_METRICS ? " + " + (metrics.size() - FEW_METRICS) + " more..." : "";
        return String.join(", ", words) + more;
    }

    private static String metric(JsonNode metric, JsonNode status) {
        String type = Json.string(metric, "type");
        String source = switch (type) {
            case "Resource" -> "resource";
            case "ContainerResource" -> "containerResource";
            case "Pods" -> "pods";
            case "Object" -> "object";
            default -> "external";
        };
        JsonNode target = metric.path(source).path("target");
        JsonNode current = status.path(source).path("current");
        String name = type.contains("Resource") ? Json.string(metric, source, "name") + ": " : "";
        for (String field : List.of("averageValue", "value")) {
            if (target.has(field)) {
                boolean average = field.startsWith("average") && (type.equals("Object") || type.equals("External"));
                return name + or(scalar(current.path(field)), "<unknown>") + "/" + scalar(target.path(field))
                        + (average ? " (avg)" : "");
            }
        }
        String used = scalar(current.path("averageUtilization"));
        String wanted = scalar(target.path("averageUtilization"));
        return name + (used.isEmpty() ? "<unknown>" : used + "%") + "/" + (wanted.isEmpty() ? "<auto>" : wanted + "%");
    }

    private static String paramRef(JsonNode binding) {
        JsonNode param = binding.path("spec").path("paramRef");
        String namespace = Json.string(param, "namespace");
        String name = Json.string(param, "name");
        return name.isEmpty() ? "" : (namespace.isEmpty() ? "*" : namespace) + "/" + name;
    }

    private static String requestedDuration(JsonNode request) {
        JsonNode seconds = request.path("spec").path("expirationSeconds");
        return seconds.isNumber() ? HumanDuration.words(Duration.ofSeconds(seconds.longValue())) : "";
    }

    private static String parent(JsonNode address) {
        JsonNode parent = address.path("spec").path("parentRef");
        if (!parent.isObject()) {
            return "";
        }
        String group = Json.string(parent, "group");
        String namespace = Json.string(parent, "namespace");
        String resource = Json.string(parent, "resource") + (group.isEmpty() ? "" : "." + group);
        return resource.toLowerCase(Locale.ROOT) + "/" + (namespace.isEmpty() ? "" : namespace + "/")
                + Json.string(parent, "name");
    }

    private static String apiAvailable(JsonNode api) {
        return StatusConditions.find(api.path("status"), "Available")
                .map(found -> {
                    String status = or(Json.string(found, "status"), "Unknown");
                    String reason = Json.string(found, "reason");
                    return status.equals("True") || reason.isEmpty() ? status : status + " (" + reason + ")";
                })
                .orElse("Unknown");
    }

    private static String controller(JsonNode revision) {
        for (JsonNode owner : revision.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").booleanValue(false)) {
                String version = Json.string(owner, "apiVersion");
                int slash = version.indexOf('/');
                String group = slash < 0 ? "" : "." + version.substring(0, slash);
                return Json.string(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + Json.string(owner, "name");
            }
        }
        return "";
    }

    private static String jobCompletions(JsonNode job) {
        int done = job.path("status").path("succeeded").intValue(0);
        JsonNode wanted = job.path("spec").path("completions");
        if (wanted.isNumber()) {
            return done + "/" + wanted.asString();
        }
        int parallel = job.path("spec").path("parallelism").intValue(0);
        return done + (parallel > 1 ? "/1 of " + parallel : "/1");
    }

    private static String jobDuration(JsonNode job, Instant now) {
        String start = Json.string(job, "status", "startTime");
        String end = Json.string(job, "status", "completionTime");
        return start.isEmpty() ? "" : HumanDuration.of(start, end.isEmpty() ? now : Instant.parse(end));
    }

    /** An event of events.k8s.io without a series has no count. */
    private static int eventCount(JsonNode event) {
        JsonNode series = event.path("series");
        int count = event.path("count").intValue(0);
        return series.isObject() ? series.path("count").intValue(0) : Math.max(1, count);
    }

    private static String eventObject(JsonNode event) {
        JsonNode about = event.path("involvedObject");
        String kind = Json.string(about, "kind").toLowerCase(Locale.ROOT);
        String name = Json.string(about, "name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String eventSource(JsonNode event) {
        String component = or(Json.string(event, "source", "component"), Json.string(event, "reportingComponent"));
        String host = or(Json.string(event, "source", "host"), Json.string(event, "reportingInstance"));
        return host.isEmpty() ? component : component + ", " + host;
    }

    private static String nodeRoles(JsonNode node) {
        TreeSet<String> roles = new TreeSet<>();
        node.path("metadata").path("labels").properties().forEach(label -> {
            if (label.getKey().startsWith(ROLE)) {
                roles.add(label.getKey().substring(ROLE.length()));
            } else if (label.getKey().equals("kubernetes.io/role")) {
                roles.add(label.getValue().asString());
            }
        });
        roles.remove("");
        return String.join(",", roles);
    }
}
