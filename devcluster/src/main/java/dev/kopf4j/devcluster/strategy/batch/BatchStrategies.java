package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.pod.TemplateStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.json.JsonEquality;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group batch. */
public final class BatchStrategies {
    private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";
    private static final String NAME_LABEL = "batch.kubernetes.io/job-name";
    private static final Pattern INDEX = Pattern.compile("[-+]?[0-9]{1,18}");
    private static final RuleTable TABLE = RuleTable.of("batch", BatchStrategies::function);

    private BatchStrategies() {}

    private static @Nullable BiConsumer<Place, FieldChecks> function(String name) {
        return switch (name) {
            case "schedule" -> BatchStrategies::schedule;
            case "zone" -> BatchStrategies::zone;
            case "generatedSelector" -> BatchStrategies::generatedSelector;
            case "indexedPodNames" -> BatchStrategies::indexedPodNames;
            case "ordered" -> BatchStrategies::ordered;
            case "succeeded" -> BatchStrategies::succeeded;
            case "templateStays" -> BatchStrategies::templateStays;
            default -> null;
        };
    }

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "cronjobs.batch", new TemplateStrategy(TABLE, "cronjobs", "spec", "jobTemplate", "spec", "template"),
                "jobs.batch", new JobStrategy());
    }

    /** Jobs: {@code pkg/registry/batch/job/strategy.go} and {@code pkg/apis/batch/validation/validation.go}, v1.33. */
    private static final class JobStrategy extends TemplateStrategy {
        /** {@code deleteOptionWarnings} in {@code pkg/registry/batch/job/storage/storage.go}. */
        private static final String PODS_STAY = "child pods are preserved by default when jobs are deleted; set"
                + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

        JobStrategy() {
            super(TABLE, "jobs", "spec", "template");
        }

        /** {@code SetDefaults_Job}: what selectors of webhooks see, too. */
        @Override
        public void prepare(ObjectDraft draft) {
            super.prepare(draft);
            labels(draft.next());
        }

        @Override
        public void derive(ObjectDraft draft) {
            super.derive(draft);
            ObjectNode spec = Json.child(draft.next(), "spec");
            if (draft.isNew() && !spec.path("manualSelector").booleanValue(false)) {
                generateSelector(draft.next());
            }
            labels(draft.next());
        }

        @Override
        public List<String> deletionWarnings() {
            return List.of(PODS_STAY);
        }

        /** Gives a job without labels those of its template: the same, which become more, as on a real server. */
        private static void labels(ObjectNode job) {
            ObjectNode metadata = Json.child(job, "metadata");
            JsonNode labels = Json.at(job, "spec", "template", "metadata", "labels");
            if (metadata.path("labels").isEmpty() && !labels.isEmpty()) {
                metadata.set("labels", labels);
            }
        }

        /**
         * Sets the selector of a job, and the labels of its pods, by the name and uid of the job, where the client has
         * not: {@code generateSelector} in {@code pkg/registry/batch/job/strategy.go}, v1.33.
         */
        private static void generateSelector(ObjectNode job) {
            ObjectNode spec = Json.child(job, "spec");
            ObjectNode labels = Json.child(Json.child(Json.child(spec, "template"), "metadata"), "labels");
            generatedLabels(job).forEach(labels::putIfAbsent);
            String uid = Json.string(job, "metadata", "uid");
            Json.child(Json.child(spec, "selector"), "matchLabels").putIfAbsent(UID_LABEL, labels.stringNode(uid));
        }
    }

    /** The labels that the pods of a job have by its name and uid, in the order in which they are checked. */
    private static Map<String, JsonNode> generatedLabels(JsonNode job) {
        JsonNode uid = Json.object().stringNode(Json.string(job, "metadata", "uid"));
        JsonNode name = Json.object().stringNode(Json.string(job, "metadata", "name"));
        Map<String, JsonNode> labels = new LinkedHashMap<>();
        labels.put("controller-uid", uid);
        labels.put("job-name", name);
        labels.put(UID_LABEL, uid);
        labels.put(NAME_LABEL, name);
        return labels;
    }

    /**
     * {@code validateGeneratedSelector}: what a client has set must be what would be generated. Only jobs that were
     * made elsewhere, before v1.27, lack the labels with a prefix.
     */
    private static void generatedSelector(Place job, FieldChecks checks) {
        JsonNode labels = Json.at(job.now(), "spec", "template", "metadata", "labels");
        Map<String, JsonNode> expected = generatedLabels(job.now());
        if (!labels.has(UID_LABEL) || !labels.has(NAME_LABEL)) {
            expected.keySet().removeAll(List.of(UID_LABEL, NAME_LABEL));
        }
        expected.forEach((key, value) -> {
            String path = "spec.template.metadata.labels[" + key + "]";
            String rule = "must be '" + value.asString() + "'";
            if (!labels.has(key)) {
                checks.add(FieldError.required(path, rule));
            } else if (!labels.path(key).equals(value)) {
                checks.add(FieldError.invalid(path, Json.text(labels), rule));
            }
        });
        JsonNode selector = job.now().path("spec").path("selector");
        if (LabelSelectorValidation.check(selector, "", new FieldChecks())
                && !LabelSelector.of(selector).matches(Json.object().setAll(expected))) {
            checks.add(FieldError.invalid("spec.selector", Json.text(selector), "`selector` not auto-generated"));
        }
    }

    /** In {@code ValidateJob}: the last index is part of the name of a host. */
    private static void indexedPodNames(Place job, FieldChecks checks) {
        String name = Json.string(job.now(), "metadata", "name");
        long last = Json.at(job.now(), "spec", "completions").longValue(0) - 1;
        if (!DnsNames.label(name + "-" + last).isEmpty()) {
            String rule = "will not able to create pod with invalid DNS label: " + name + "-" + last;
            checks.problem(rule, "metadata.name", name);
        }
    }

    private static void ordered(Place numbers, FieldChecks checks) {
        long last = Long.MIN_VALUE;
        for (JsonNode each : numbers.now()) {
            if (each.longValue(0) < last) {
                checks.add(FieldError.invalid(numbers.path(), Json.text(numbers.now()), "must be ordered"));
                return;
            }
            last = each.longValue(0);
        }
    }

    /** {@code validateSuccessPolicyRule}: the indexes and the number that suffice. */
    private static void succeeded(Place rule, FieldChecks checks) {
        long completions =
                rule.parent().parent().parent().now().path("completions").longValue(0);
        JsonNode count = rule.now().path("succeededCount");
        long total = 0;
        boolean indexed = rule.now().path("succeededIndexes").isString();
        if (indexed) {
            String indexes = Json.string(rule.now(), "succeededIndexes");
            try {
                total = countOfIndexes(indexes, completions);
            } catch (IllegalArgumentException e) {
                String problem = "error parsing succeededIndexes: " + e.getMessage();
                checks.problem(problem, rule.path() + ".succeededIndexes", indexes);
            }
        }
        String path = rule.path() + ".succeededCount";
        checks.atLeast(rule.now(), "succeededCount", rule.path(), 0);
        if (count.longValue(0) > completions) {
            String limit = "must be less than or equal to " + completions + " (the number of specified completions)";
            checks.add(FieldError.invalid(path, count.asString(), limit));
        }
        if (indexed && count.isNumber() && count.longValue(0) > total) {
            String limit = "must be less than or equal to " + total
                    + " (the number of indexes in the specified succeededIndexes field)";
            checks.add(FieldError.invalid(path, count.asString(), limit));
        }
    }

    /** {@code validateIndexesFormat}: how many indexes a text such as {@code 1,3-5} has. */
    private static long countOfIndexes(String indexes, long completions) {
        long total = 0;
        long last = -1;
        for (String interval : indexes.isEmpty() ? List.<String>of() : List.of(indexes.split(",", -1))) {
            String[] ends = interval.split("-", -1);
            if (ends.length > 2) {
                throw new IllegalArgumentException(
                        "the fragment " + FieldError.quote(interval)
                                + " violates the requirement that an index interval can have at most two parts separated by '-'");
            }
            long from = index(ends[0], completions);
            long to = index(ends[ends.length - 1], completions);
            if (ends.length == 2 && from >= to) {
                throw new IllegalArgumentException("non-increasing order, previous: " + from + ", current: " + to);
            }
            if (last >= from && total > 0) {
                throw new IllegalArgumentException("non-increasing order, previous: " + last + ", current: " + from);
            }
            total += to - from + 1;
            last = to;
        }
        return total;
    }

    private static long index(String text, long completions) {
        if (!INDEX.matcher(text).matches()) {
            throw new IllegalArgumentException("cannot convert string to integer for index: " + FieldError.quote(text));
        }
        long index = Long.parseLong(text);
        if (index >= completions) {
            throw new IllegalArgumentException("too large index: " + FieldError.quote(text));
        }
        return index;
    }

    private static void schedule(Place place, FieldChecks checks) {
        checks.problem(problem(place.text()), place.path(), place.text());
    }

    private static void zone(Place name, FieldChecks checks) {
        if (CronTimes.zone(name.text()).isEmpty()) {
            checks.problem("unknown time zone " + name.text(), name.path(), name.text());
        }
    }

    /**
     * The error of a schedule; empty if there is none. The messages are those of the parser that Kubernetes v1.33 uses:
     * {@code ParseStandard} in {@code parser.go} of github.com/robfig/cron v3.
     */
    private static String problem(String schedule) {
        if (schedule.startsWith("@")) {
            return CronTimes.problemOfDescriptor(schedule);
        }
        if (schedule.startsWith("TZ=") || schedule.startsWith("CRON_TZ=")) {
            return "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
        }
        String[] parts = schedule.strip().split("\\s+", -1);
        CronField[] fields = CronField.values();
        if (parts.length != fields.length) {
            return "expected exactly 5 fields, found " + parts.length + ": [" + String.join(" ", parts) + "]";
        }
        for (int index = 0; index < fields.length; index++) {
            for (String part : parts[index].split(",", -1)) {
                String problem = part.isEmpty() ? "" : fields[index].problem(part);
                if (!problem.isEmpty()) {
                    return problem;
                }
            }
        }
        return "";
    }

    /** {@code validatePodTemplateUpdate} in {@code pkg/apis/batch/validation/validation.go}, v1.33. */
    private static void templateStays(Place template, FieldChecks checks) {
        JsonNode job = Objects.requireNonNull(template.draft().before());
        boolean notStarted = job.path("spec").path("suspend").booleanValue(false)
                && !job.path("status").has("startTime");
        if (!JsonEquality.same(fixedPart(template.now(), notStarted), fixedPart(template.before(), notStarted))) {
            checks.add(FieldError.invalid(template.path(), Json.text(template.now()), "field is immutable"));
        }
    }

    /**
     * The part of a template that must not change; while a job is suspended, the scheduling directives of its pods may
     * change (KEP-2926).
     */
    private static JsonNode fixedPart(JsonNode template, boolean notStarted) {
        if (!notStarted || !(template instanceof ObjectNode whole)) {
            return template;
        }
        ObjectNode part = whole.deepCopy();
        Json.child(part, "metadata").remove(List.of("labels", "annotations"));
        ObjectNode pod = Json.child(part, "spec");
        pod.remove(List.of("nodeSelector", "tolerations", "schedulingGates"));
        ObjectNode affinity = Json.child(pod, "affinity");
        affinity.remove("nodeAffinity");
        if (affinity.isEmpty()) {
            pod.remove("affinity");
        }
        return part;
    }
}
