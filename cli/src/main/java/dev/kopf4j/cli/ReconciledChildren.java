package dev.kopf4j.cli;

import dev.kopf4j.cli.operation.HandlerReport;
import dev.kopf4j.cli.operation.NamedObject;
import dev.kopf4j.cli.plan.ChildrenForecast;
import dev.kopf4j.cli.plan.ClusterCopy;
import dev.kopf4j.cli.plan.CutOff;
import dev.kopf4j.cli.plan.Version;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells of an object what would be done to its children, or to it as a child, by the functions that say which children
 * there ought to be.
 *
 * @param version the operator
 * @param report tells of the object
 * @param trial how the functions may be called
 */
record ReconciledChildren(Version version, HandlerReport report, TrialOptions trial) {
    /** Adds how to learn it, where there is anything to learn; nothing is called. */
    HandlerReport.Told hint(HandlerReport.Told told) throws InterruptedException {
        return report.parents().isEmpty()
                ? told
                : told.and(
                        List.of(
                                "  --children calls @OnReconcile with a copy, and tells which fields of which children differ"));
    }

    /** Adds what would be done; the functions are called with a copy of the object and of its children. */
    HandlerReport.Told tell(HandlerReport.Told told, Platform platform, Duration limit) throws InterruptedException {
        List<String> words = new ArrayList<>();
        ArrayNode json = Json.mapper().createArrayNode();
        Set<String> failures = new LinkedHashSet<>();
        Set<String> remarks = new LinkedHashSet<>();
        for (Map.Entry<NamedObject, ObjectNode> each : report.parents().entrySet()) {
            NamedObject parent = each.getKey();
            ClusterCopy copy = ClusterCopy.ofChildren(version, platform, parent.resource(), each.getValue());
            Optional<CutOff> away = trial.away(copy, "Without --children, nothing is.");
            ChildrenForecast forecast = away.isPresent()
                    ? ChildrenForecast.from(Json.parse(away.get().output(copy)))
                    : ChildrenForecast.of(version, copy, platform.now(), limit);
            String uid = each.getValue().path("metadata").path("uid").asString("");
            add(parent, uid, forecast, words, json);
            if (!forecast.asked().contains(uid)) {
                remarks.add(
                        "@OnReconcile was not called for " + parent + ": see what is told of it and of its handlers");
            }
            Set<String> own = new LinkedHashSet<>(copy.remarks());
            own.addAll(forecast.remarks());
            own.forEach(remark -> words.add("    " + remark));
            failures.addAll(forecast.failures());
            remarks.addAll(own);
        }
        if (words.isEmpty()) {
            words.add("  no @OnReconcile of this operator is for it, or for an owner of it");
        }
        return told.and(words, "children", json)
                .and(List.of(), "failures", Json.fromJava(List.copyOf(failures)))
                .and(List.of(), "remarks", Json.fromJava(List.copyOf(remarks)));
    }

    private void add(NamedObject parent, String uid, ChildrenForecast forecast, List<String> words, ArrayNode json) {
        NamedObject object = report.object();
        String own = parent.equals(object)
                ? ""
                : ChildrenForecast.name(object.resource(), object.namespace(), object.name());
        words.add("  as @OnReconcile says of a copy of " + parent + ":");
        if (!forecast.asked().contains(uid)) {
            words.add("    it was not called: see what is told of it and of its handlers");
        }
        new TreeMap<>(forecast.children()).forEach((name, child) -> {
            if (child.parents().contains(uid) && (own.isEmpty() || own.equals(name))) {
                words.add("    " + name + ": " + child.words());
                child.fields().forEach(each -> words.add("      " + each));
                ObjectNode one = json.addObject();
                one.put("object", name);
                one.put("parent", parent.toString());
                one.put("fate", child.fate().name().toLowerCase(Locale.ROOT));
                one.set("fields", Json.fromJava(child.fields()));
                one.put("note", child.note());
            }
        });
        forecast.failures().forEach(each -> words.add("    " + each));
    }
}
