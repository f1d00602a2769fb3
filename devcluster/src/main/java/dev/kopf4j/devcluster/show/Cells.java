package dev.kopf4j.devcluster.show;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Cells of built-in tables that are more than a field. Pure. */
final class Cells {
    private static final String NONE = "<none>";
    private static final String UNSET = "<unset>";

    private Cells() {}

    static BiFunction<JsonNode, Instant, JsonNode> function(String name) {
        return switch (name) {
            case "age" -> (object, now) -> ago(Json.string(object, "metadata", "creationTimestamp"), now);
            case "lastSeen" -> (object, now) -> ago(eventTime(object, "lastTimestamp"), now);
            case "firstSeen" -> (object, now) -> ago(eventTime(object, "firstTimestamp"), now);
            case "lastSchedule" -> Cells::lastSchedule;
            case "jobDuration" -> Cells::jobDuration;
            case "dataCount" ->
                number(object ->
                        object.path("data").size() + object.path("binaryData").size());
            case "secretCount" -> number(object -> object.path("secrets").size());
            case "hookCount" -> number(object -> object.path("webhooks").size());
            case "activeCount" ->
                number(object -> object.path("status").path("active").size());
            case "suspended" ->
                bool(object -> object.path("spec").path("suspend").booleanValue(false));
            case "globalDefault" -> bool(object -> object.path("globalDefault").booleanValue(false));
            default -> {
                Function<JsonNode, String> words = words(name);
                yield (object, now) -> Tables.text(words.apply(object));
            }
        };
    }

    private static Function<JsonNode, String> words(String name) {
        return switch (name) {
            case "podReady" -> PodCells::ready;
            case "podStatus" -> PodCells::status;
            case "podRestarts" -> PodCells::restarts;
            case "podAddress" -> object -> or(Json.string(object, "status", "podIP"), NONE);
            case "podNode" -> object -> or(Json.string(object, "spec", "nodeName"), NONE);
            case "nominated" -> object -> or(Json.string(object, "status", "nominatedNodeName"), NONE);
            case "clusterAddress" -> object -> or(Json.string(object, "spec", "clusterIP"), NONE);
            case "externalAddress" -> Cells::externalAddress;
            case "ports" -> Cells::ports;
            case "plainSelector" -> object -> labels(object.path("spec").path("selector"));
            case "selector" -> object -> selector(object.path("spec").path("selector"));
            case "podSelector" -> object -> selector(object.path("spec").path("podSelector"));
            case "nodeSelector" -> object -> labels(template(object).path("nodeSelector"));
            case "containers" -> object -> containers(object, "name");
            case "images" -> object -> containers(object, "image");
            case "deploymentReady" -> Cells::ready;
            case "accessModes" -> Cells::accessModes;
            case "claimStatus" -> Cells::claimStatus;
            case "claim" -> Cells::claim;
            case "attributesClass" -> object -> or(Json.string(object, "spec", "volumeAttributesClassName"), UNSET);
            case "timezone" -> object -> or(Json.string(object, "spec", "timeZone"), NONE);
            case "jobStatus" -> Cells::jobStatus;
            case "jobCompletions" -> Cells::jobCompletions;
            case "eventObject" -> Cells::eventObject;
            case "eventSource" -> Cells::eventSource;
            case "ingressClass" -> object -> or(Json.string(object, "spec", "ingressClassName"), NONE);
            case "hosts" -> Cells::hosts;
            case "ingressAddress" -> object -> addresses(object.path("status").path("loadBalancer"));
            case "ingressPorts" -> object -> object.path("spec").path("tls").isEmpty() ? "80" : "80, 443";
            case "role" ->
                object -> Json.string(object, "roleRef", "kind") + "/" + Json.string(object, "roleRef", "name");
            case "expands" ->
                object -> String.valueOf(object.path("allowVolumeExpansion").booleanValue(false));
            case "minAvailable" ->
                object -> or(object.path("spec").path("minAvailable").asString(""), "N/A");
            case "maxUnavailable" ->
                object -> or(object.path("spec").path("maxUnavailable").asString(""), "N/A");
            case "scaleTarget" -> Cells::scaleTarget;
            case "nodeStatus" -> Cells::nodeStatus;
            case "nodeRoles" -> Cells::nodeRoles;
            case "gates", "none", "endpoints" -> object -> NONE;
            default -> throw new IllegalArgumentException("no cell function " + name);
        };
    }

    private static JsonNode ago(String time, Instant now) {
        return Tables.text(Age.of(time, now));
    }

    private static BiFunction<JsonNode, Instant, JsonNode> number(Function<JsonNode, Integer> count) {
        return (object, now) -> JsonNodeFactory.instance.numberNode(count.apply(object));
    }

    private static BiFunction<JsonNode, Instant, JsonNode> bool(Function<JsonNode, Boolean> flag) {
        return (object, now) -> JsonNodeFactory.instance.booleanNode(flag.apply(object));
    }

    private static String or(String value, String otherwise) {
        return value.isEmpty() ? otherwise : value;
    }

    private static String eventTime(JsonNode event, String field) {
        String time = Json.string(event, field);
        String exact = Json.string(event, "eventTime");
        return time.isEmpty() ? exact : time;
    }

    private static String labels(JsonNode labels) {
        String words = labels.propertyStream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().asString())
                .sorted()
                .collect(Collectors.joining(","));
        return or(words, NONE);
    }

    private static String selector(JsonNode selector) {
        LabelSelector parsed = LabelSelector.of(selector);
        return parsed.isEmpty() ? NONE : parsed.toText();
    }

    private static JsonNode template(JsonNode object) {
        return object.path("spec").path("template").path("spec");
    }

    private static String containers(JsonNode object, String field) {
        return template(object)
                .path("containers")
                .valueStream()
                .map(container -> Json.string(container, field))
                .collect(Collectors.joining(","));
    }

    private static String ready(JsonNode object) {
        return object.path("status").path("readyReplicas").intValue(0) + "/"
                + object.path("spec").path("replicas").intValue(0);
    }

    private static String externalAddress(JsonNode service) {
        JsonNode spec = service.path("spec");
        String given =
                spec.path("externalIPs").valueStream().map(JsonNode::asString).collect(Collectors.joining(","));
        return switch (Json.string(spec, "type")) {
            case "ExternalName" -> Json.string(spec, "externalName");
            case "LoadBalancer" -> or(addresses(service.path("status").path("loadBalancer")), or(given, "<pending>"));
            default -> or(given, NONE);
        };
    }

    private static String addresses(JsonNode balancer) {
        return balancer.path("ingress")
                .valueStream()
                .map(each -> or(Json.string(each, "ip"), Json.string(each, "hostname")))
                .collect(Collectors.joining(","));
    }

    private static String ports(JsonNode service) {
        String ports = service.path("spec")
                .path("ports")
                .valueStream()
                .map(port -> port.path("port").asString()
                        + (port.path("nodePort").intValue(0) > 0
                                ? ":" + port.path("nodePort").asString()
                                : "")
                        + "/" + Json.string(port, "protocol"))
                .collect(Collectors.joining(","));
        return or(ports, NONE);
    }

    private static String accessModes(JsonNode object) {
        JsonNode status = object.path("status").path("accessModes");
        JsonNode modes = object.path("kind").stringValue("").equals("PersistentVolume")
                ? object.path("spec").path("accessModes")
                : status;
        return modes.valueStream()
                .map(mode -> switch (mode.asString()) {
                    case "ReadWriteOnce" -> "RWO";
                    case "ReadOnlyMany" -> "ROX";
                    case "ReadWriteMany" -> "RWX";
                    case "ReadWriteOncePod" -> "RWOP";
                    default -> mode.asString();
                })
                .collect(Collectors.joining(","));
    }

    private static String claimStatus(JsonNode claim) {
        return claim.path("metadata").has("deletionTimestamp") ? "Terminating" : Json.string(claim, "status", "phase");
    }

    private static String claim(JsonNode volume) {
        JsonNode claim = volume.path("spec").path("claimRef");
        return claim.isObject() ? Json.string(claim, "namespace") + "/" + Json.string(claim, "name") : "";
    }

    private static String jobStatus(JsonNode job) {
        for (String type : List.of("Complete", "Failed", "Suspended", "FailureTarget")) {
            boolean holds = job.path("status")
                    .path("conditions")
                    .valueStream()
                    .anyMatch(each -> Json.string(each, "type").equals(type)
                            && Json.string(each, "status").equals("True"));
            if (holds) {
                return type;
            }
        }
        return job.path("metadata").has("deletionTimestamp") ? "Terminating" : "Running";
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

    private static JsonNode jobDuration(JsonNode job, Instant now) {
        String start = Json.string(job, "status", "startTime");
        String end = Json.string(job, "status", "completionTime");
        if (start.isEmpty()) {
            return Tables.text("");
        }
        return Tables.text(Age.of(start, end.isEmpty() ? now : Instant.parse(end)));
    }

    private static JsonNode lastSchedule(JsonNode cronJob, Instant now) {
        String time = Json.string(cronJob, "status", "lastScheduleTime");
        return Tables.text(time.isEmpty() ? NONE : Age.of(time, now));
    }

    private static String eventObject(JsonNode event) {
        JsonNode about = event.has("regarding") ? event.path("regarding") : event.path("involvedObject");
        return Json.string(about, "kind").toLowerCase(Locale.ROOT) + "/" + Json.string(about, "name");
    }

    private static String eventSource(JsonNode event) {
        String component = or(Json.string(event, "source", "component"), Json.string(event, "reportingComponent"));
        String host = or(Json.string(event, "source", "host"), Json.string(event, "reportingInstance"));
        return host.isEmpty() ? component : component + ", " + host;
    }

    private static String hosts(JsonNode ingress) {
        String hosts = ingress.path("spec")
                .path("rules")
                .valueStream()
                .map(rule -> Json.string(rule, "host"))
                .filter(host -> !host.isEmpty())
                .collect(Collectors.joining(","));
        return or(hosts, "*");
    }

    private static String scaleTarget(JsonNode autoscaler) {
        JsonNode target = autoscaler.path("spec").path("scaleTargetRef");
        return Json.string(target, "kind") + "/" + Json.string(target, "name");
    }

    private static String nodeStatus(JsonNode node) {
        boolean ready = node.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(each -> Json.string(each, "type").equals("Ready")
                        && Json.string(each, "status").equals("True"));
        String held = node.path("spec").path("unschedulable").booleanValue(false) ? ",SchedulingDisabled" : "";
        return (ready ? "Ready" : node.path("status").has("conditions") ? "NotReady" : "Unknown") + held;
    }

    private static String nodeRoles(JsonNode node) {
        String prefix = "node-role.kubernetes.io/";
        String roles = node.path("metadata")
                .path("labels")
                .propertyStream()
                .map(java.util.Map.Entry::getKey)
                .filter(label -> label.startsWith(prefix))
                .map(label -> label.substring(prefix.length()))
                .collect(Collectors.joining(","));
        return or(roles, NONE);
    }
}
