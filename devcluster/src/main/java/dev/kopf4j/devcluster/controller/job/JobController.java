package dev.kopf4j.devcluster.controller.job;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.value.ApiTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls jobs: creates pods until enough have succeeded, or too many have failed, or the time is over; deletes jobs
 * when their time to live has passed after that. A pod has a finalizer until it is counted. A failed pod is replaced at
 * once, without the back-off of a real cluster. See {@code pkg/controller/job/job_controller.go} and
 * {@code pkg/controller/ttlafterfinished/ttlafterfinished_controller.go}, v1.33.
 */
public final class JobController implements WorkloadController {
    private static final String TRACKING = "batch.kubernetes.io/job-tracking";
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";
    private static final String INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count";
    private static final String INDEX_IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";
    private static final String MANAGER = "kubernetes.io/job-controller";

    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public JobController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode job = object.tree();
        String manager = Json.string(job, "spec", "managedBy");
        if (!manager.isEmpty() && !manager.equals(MANAGER)) {
            return;
        }
        Optional<JsonNode> end = end(job);
        if (end.isEmpty()) {
            new JobSync(object, job).run();
        } else {
            actions.owned(WorkloadKind.POD, object).forEach(this::untrack);
            String time = Json.string(end.get(), "lastTransitionTime");
            if (!object.deleting() && job.path("spec").has("ttlSecondsAfterFinished") && !time.isEmpty()) {
                expire(
                        object,
                        Instant.parse(time)
                                .plusSeconds(
                                        job.at("/spec/ttlSecondsAfterFinished").longValue(0)));
            }
        }
    }

    /** Pods whose job is gone are counted by nobody. */
    @Override
    public void gone(String namespace, String name) {
        actions.in(WorkloadKind.POD, namespace).stream()
                .filter(pod -> isTracked(pod.tree()))
                .filter(pod -> !actions.isOwnedBy(WorkloadKind.JOB, pod))
                .forEach(this::untrack);
    }

    private void expire(StoredObject object, Instant time) {
        if (time.isAfter(actions.instant())) {
            actions.syncAt(WorkloadKind.JOB, object, time);
        } else {
            actions.deleteForeground(WorkloadKind.JOB, object);
        }
    }

    private static boolean isTracked(JsonNode pod) {
        return Json.items(pod, "metadata", "finalizers")
                .anyMatch(finalizer -> finalizer.asString().equals(TRACKING));
    }

    /** Takes the finalizer from a pod: what was counted once must not be counted again, whoever writes meanwhile. */
    private void untrack(StoredObject pod) {
        for (Optional<StoredObject> current = Optional.of(pod);
                current.filter(each -> isTracked(each.tree())).isPresent()
                        && !actions.replace(WorkloadKind.POD, current.get(), untracked(current.get()));
                current = current(pod)) {}
    }

    private Optional<StoredObject> current(StoredObject pod) {
        return actions.find(WorkloadKind.POD, pod.namespace(), pod.name())
                .filter(each -> each.uid().equals(pod.uid()));
    }

    private static ObjectNode untracked(StoredObject pod) {
        ObjectNode next = pod.tree();
        ObjectNode metadata = Json.child(next, "metadata");
        ArrayNode others = Json.array();
        metadata.path("finalizers").forEach(finalizer -> {
            if (!finalizer.asString().equals(TRACKING)) {
                others.add(finalizer);
            }
        });
        if (others.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            metadata.set("finalizers", others);
        }
        return next;
    }

    /** The condition that says that a job has completed or failed; it has no time if others wrote it without. */
    private static Optional<JsonNode> end(JsonNode job) {
        return Stream.of("Complete", "Failed")
                .filter(type -> StatusConditions.isTrue(job.path("status"), type))
                .flatMap(type -> StatusConditions.find(job.path("status"), type).stream())
                .findFirst();
    }

    /** Why a job ends. */
    private record Verdict(boolean success, String reason, String message) {
        static final Verdict COMPLETED =
                new Verdict(true, "CompletionsReached", "Reached expected number of succeeded pods");

        String interim() {
            return success ? "SuccessCriteriaMet" : "FailureTarget";
        }

        String last() {
            return success ? "Complete" : "Failed";
        }

        static Verdict failed(String reason, String message) {
            return new Verdict(false, reason, message);
        }
    }

    /** A pod of a job. */
    private record JobPod(StoredObject object, ObjectNode tree) {
        String phase() {
            return PodTemplate.phase(tree);
        }

        boolean ended() {
            return PodTemplate.hasEnded(tree);
        }

        boolean active() {
            return !ended() && !object.deleting();
        }

        boolean terminating() {
            return !ended() && object.deleting();
        }

        boolean tracked() {
            return isTracked(tree);
        }

        boolean succeeded() {
            return phase().equals("Succeeded");
        }

        private long annotation(String name) {
            return StatusCounts.number(Json.string(tree.path("metadata").path("annotations"), name))
                    .orElse(0);
        }

        /** Its index below the number of completions; -1 if it has none. */
        int index(long completions) {
            long index = StatusCounts.number(Json.string(tree.path("metadata").path("annotations"), INDEX))
                    .orElse(-1);
            return index < completions ? (int) index : -1;
        }
    }

    /** One look at a job that has not ended. */
    private final class JobSync {
        private final StoredObject object;
        private final ObjectNode job;
        private final JsonNode spec;
        private final ObjectNode status;
        private final String now = actions.now();
        private final boolean indexed;
        private final boolean limitPerIndex;
        private final long completions;
        private final boolean suspended;
        private final List<JobPod> pods;
        private final IndexRanges completed;
        private final IndexRanges failedIndexes;

        /** How many pods, or indexes, have succeeded, counted or not. */
        private long succeeded;

        JobSync(StoredObject object, ObjectNode job) {
            this.object = object;
            this.job = job;
            spec = job.path("spec");
            status = Json.child(job, "status");
            indexed = Json.string(spec, "completionMode").equals("Indexed");
            limitPerIndex = indexed && spec.path("backoffLimitPerIndex").isNumber();
            completions = spec.path("completions").longValue(Long.MAX_VALUE);
            suspended = spec.path("suspend").booleanValue(false);
            pods = pods();
            completed = IndexRanges.parse(Json.string(status, "completedIndexes"), completions);
            failedIndexes = IndexRanges.parse(Json.string(status, "failedIndexes"), completions);
        }

        /** The pods of the job; one that it adopts is tracked from now on, one that it releases no longer. */
        private List<JobPod> pods() {
            LabelSelector selector = LabelSelector.of(spec.path("selector"));
            List<StoredObject> claimed =
                    actions.claim(WorkloadKind.POD, object, WorkloadKind.JOB, selector, pod -> true);
            actions.in(WorkloadKind.POD, object.namespace()).stream()
                    .filter(pod -> isTracked(pod.tree()) && !ControllerActions.hasController(pod))
                    .forEach(JobController.this::untrack);
            return claimed.stream()
                    .map(pod -> new JobPod(pod, pod.tree()))
                    .map(pod -> pod.active() && !pod.tracked() ? track(pod) : pod)
                    .toList();
        }

        private JobPod track(JobPod pod) {
            ObjectNode next = pod.object().tree();
            Json.list(Json.child(next, "metadata"), "finalizers").add(TRACKING);
            actions.replace(WorkloadKind.POD, pod.object(), next);
            return current(pod.object())
                    .map(current -> new JobPod(current, current.tree()))
                    .orElse(pod);
        }

        void run() {
            if (!suspended && !status.has("startTime")) {
                status.put("startTime", now);
            }
            findIndexes();
            succeeded = indexed
                    ? completed.size()
                    : StatusCounts.get(job, "succeeded")
                            + pods.stream()
                                    .filter(pod -> pod.tracked() && pod.succeeded())
                                    .count();
            Verdict verdict = verdict();
            if (verdict == null) {
                goOn();
            } else {
                end(verdict);
            }
        }

        /** Whether a pod counts as failed: one that is deleted does, unless only failed ones are to be replaced. */
        private boolean isFailed(JobPod pod) {
            return pod.phase().equals("Failed")
                    || (pod.terminating()
                            && !Json.string(spec, "podReplacementPolicy").equals("Failed"));
        }

        private boolean countsAsFailed(JobPod pod) {
            return isFailed(pod) && !PodFailurePolicy.of(spec, pod.tree()).isIgnored();
        }

        private void findIndexes() {
            if (!indexed) {
                return;
            }
            for (JobPod pod : pods) {
                int index = pod.index(completions);
                if (index < 0 || !pod.tracked()) {
                    continue;
                }
                if (pod.succeeded()) {
                    completed.add(index);
                } else if (limitPerIndex && isIndexFailed(pod)) {
                    failedIndexes.add(index);
                }
            }
        }

        private boolean isIndexFailed(JobPod pod) {
            return isFailed(pod)
                    && (PodFailurePolicy.of(spec, pod.tree()).failsIndex()
                            || (countsAsFailed(pod)
                                    && pod.annotation(INDEX_FAILURES)
                                            >= spec.path("backoffLimitPerIndex").longValue(0)));
        }

        private @Nullable Verdict verdict() {
            for (String interim : List.of("SuccessCriteriaMet", "FailureTarget")) {
                Optional<JsonNode> condition = StatusConditions.find(status, interim);
                if (condition.isPresent() && StatusConditions.isTrue(status, interim)) {
                    return new Verdict(
                            interim.equals("SuccessCriteriaMet"),
                            Json.string(condition.get(), "reason"),
                            Json.string(condition.get(), "message"));
                }
            }
            Verdict failure = failure();
            return failure != null ? failure : success();
        }

        private @Nullable Verdict failure() {
            Optional<String> forbidden = pods.stream()
                    .filter(this::isFailed)
                    .map(pod -> PodFailurePolicy.of(spec, pod.tree()).message())
                    .filter(message -> !message.isEmpty())
                    .findFirst();
            if (forbidden.isPresent()) {
                return Verdict.failed("PodFailurePolicy", forbidden.get());
            }
            long failed = StatusCounts.get(job, "failed")
                    + pods.stream()
                            .filter(pod -> pod.tracked() && countsAsFailed(pod))
                            .count();
            long limit = spec.path("backoffLimit").longValue(Integer.MAX_VALUE);
            if (failed > limit || restarts() >= Math.max(1, limit)) {
                return Verdict.failed("BackoffLimitExceeded", "Job has reached the specified backoff limit");
            }
            Optional<Instant> deadline = deadline();
            if (deadline.filter(time -> !time.isAfter(actions.instant())).isPresent()) {
                return Verdict.failed("DeadlineExceeded", "Job was active longer than specified deadline");
            }
            deadline.ifPresent(time -> actions.syncAt(WorkloadKind.JOB, object, time));
            if (failedIndexes.size() > spec.path("maxFailedIndexes").longValue(Long.MAX_VALUE)) {
                return Verdict.failed(
                        "MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
            }
            return failedIndexes.size() > 0 && failedIndexes.size() + completed.size() >= completions
                    ? Verdict.failed("FailedIndexes", "Job has failed indexes")
                    : null;
        }

        /** How often the containers of pods were started again that are restarted in their place. */
        private long restarts() {
            return Json.string(spec.at("/template/spec"), "restartPolicy").equals("OnFailure")
                    ? pods.stream()
                            .filter(JobPod::active)
                            .flatMap(pod -> Json.items(pod.tree(), "status", "containerStatuses"))
                            .mapToLong(
                                    container -> container.path("restartCount").longValue(0))
                            .sum()
                    : 0;
        }

        /** When a job fails that is still active then; empty if it may take any time. */
        private Optional<Instant> deadline() {
            JsonNode seconds = spec.path("activeDeadlineSeconds");
            String start = Json.string(status, "startTime");
            return !seconds.isNumber() || start.isEmpty() || suspended
                    ? Optional.empty()
                    : Optional.of(ApiTimes.later(Instant.parse(start), seconds.longValue()));
        }

        private @Nullable Verdict success() {
            if (indexed && completed.size() > 0) {
                JsonNode rules = spec.path("successPolicy").path("rules");
                for (int i = 0; i < rules.size(); i++) {
                    if (isMet(rules.get(i))) {
                        return new Verdict(true, "SuccessPolicy", "Matched rules at index " + i);
                    }
                }
            }
            boolean active = pods.stream().anyMatch(JobPod::active);
            boolean reached = spec.path("completions").isNumber() ? succeeded >= completions : succeeded > 0;
            return reached && !active ? Verdict.COMPLETED : null;
        }

        private boolean isMet(JsonNode rule) {
            long count = rule.path("succeededCount").longValue(Long.MAX_VALUE);
            if (!rule.has("succeededIndexes")) {
                return completed.size() >= count;
            }
            IndexRanges wanted = IndexRanges.parse(Json.string(rule, "succeededIndexes"), completions);
            return wanted.size() > 0 && completed.common(wanted) >= Math.min(wanted.size(), count);
        }

        private void end(Verdict verdict) {
            List<JobPod> active = pods.stream().filter(JobPod::active).toList();
            long terminating = pods.stream().filter(JobPod::terminating).count();
            for (JobPod pod : pods) {
                if (pod.tracked()) {
                    count(pod, !verdict.success());
                }
            }
            setIndexes();
            StatusCounts.set(status, "active", 0);
            status.put("ready", 0).put("terminating", terminating + active.size());
            StatusConditions.set(status, verdict.interim(), true, verdict.reason(), verdict.message(), now);
            if (active.isEmpty() && terminating == 0) {
                StatusConditions.set(status, verdict.last(), true, verdict.reason(), verdict.message(), now);
                if (verdict.success()) {
                    status.put("completionTime", now);
                }
            }
            if (actions.replace(WorkloadKind.JOB, object, job)) { // else it is looked at again, as it has changed
                active.forEach(pod -> actions.delete(WorkloadKind.POD, pod.object()));
                pods.forEach(pod -> current(pod.object()).ifPresent(JobController.this::untrack));
            }
        }

        /** Counts a pod that has ended, or whose job fails. */
        private void count(JobPod pod, boolean fails) {
            if (pod.succeeded()) {
                if (!indexed) {
                    StatusCounts.set(status, "succeeded", StatusCounts.get(job, "succeeded") + 1);
                }
            } else if ((isFailed(pod) || fails)
                    && (!indexed || pod.index(completions) >= 0)
                    && !PodFailurePolicy.of(spec, pod.tree()).isIgnored()) {
                StatusCounts.set(status, "failed", StatusCounts.get(job, "failed") + 1);
            }
        }

        private void setIndexes() {
            if (indexed) {
                StatusCounts.set(status, "succeeded", completed.size());
                if (completed.size() > 0) {
                    status.put("completedIndexes", completed.toString());
                }
                if (limitPerIndex) {
                    status.put("failedIndexes", failedIndexes.toString());
                }
            }
        }

        private void goOn() {
            List<JobPod> active =
                    new ArrayList<>(pods.stream().filter(JobPod::active).toList());
            Map<Integer, JobPod> replaced = replaced(active);
            List<StoredObject> counted = new ArrayList<>();
            for (JobPod pod : pods) {
                boolean waits = pod.equals(replaced.get(pod.index(completions))) && !object.deleting();
                if (pod.tracked() && !pod.active() && (pod.succeeded() || (isFailed(pod) && !waits))) {
                    count(pod, false);
                    counted.add(pod.object());
                }
            }
            setIndexes();
            List<JobPod> surplus = surplus(active);
            active.removeAll(surplus);
            StatusCounts.set(status, "active", active.size());
            status.put(
                    "ready",
                    active.stream()
                            .filter(pod -> PodTemplate.isReady(pod.tree()))
                            .count());
            status.put("terminating", pods.stream().filter(JobPod::terminating).count());
            setSuspended();
            if (!actions.replace(WorkloadKind.JOB, object, job)) {
                return; // it has changed, and is looked at again
            }
            counted.forEach(JobController.this::untrack); // before webhooks may be asked, which takes long
            for (JobPod pod : surplus) {
                untrack(pod.object());
                current(pod.object()).ifPresent(current -> actions.delete(WorkloadKind.POD, current));
            }
            if (surplus.isEmpty() && !suspended && !object.deleting()) {
                create(active, replaced);
            }
        }

        private void setSuspended() {
            boolean before = StatusConditions.isTrue(status, "Suspended");
            if (suspended || StatusConditions.find(status, "Suspended").isPresent()) {
                StatusConditions.set(
                        status,
                        "Suspended",
                        suspended,
                        suspended ? "JobSuspended" : "JobResumed",
                        suspended ? "Job suspended" : "Job resumed",
                        now);
            }
            if (before && !suspended) {
                status.put("startTime", now);
            }
        }

        /** The last failed pod of each index that has no pod now: its successor continues the count of failures. */
        private Map<Integer, JobPod> replaced(List<JobPod> active) {
            Map<Integer, JobPod> result = new HashMap<>();
            if (limitPerIndex) {
                Set<Integer> taken = new HashSet<>();
                active.forEach(pod -> taken.add(pod.index(completions)));
                pods.stream()
                        .filter(pod -> pod.tracked() && isFailed(pod) && pod.index(completions) >= 0)
                        .filter(pod -> !taken.contains(pod.index(completions))
                                && !completed.contains(pod.index(completions))
                                && !failedIndexes.contains(pod.index(completions)))
                        .forEach(pod -> result.merge(
                                pod.index(completions),
                                pod,
                                (one, other) -> failures(one) > failures(other) ? one : other));
            }
            return result;
        }

        private static long failures(JobPod pod) {
            return pod.annotation(INDEX_FAILURES) + pod.annotation(INDEX_IGNORED);
        }

        private long wanted(int active) {
            long parallelism = spec.path("parallelism").longValue(1);
            if (!spec.path("completions").isNumber()) {
                return succeeded > 0 ? active : parallelism;
            }
            return Math.max(0, Math.min(parallelism, completions - succeeded));
        }

        /** The pods that are too many: all of a suspended job, and of an index all but one. */
        private List<JobPod> surplus(List<JobPod> active) {
            if (suspended) {
                return List.copyOf(active);
            }
            List<JobPod> surplus = new ArrayList<>();
            List<JobPod> kept = new ArrayList<>();
            Set<Integer> seen = new HashSet<>();
            for (JobPod pod : active) {
                boolean alone = !indexed || (pod.index(completions) >= 0 && seen.add(pod.index(completions)));
                (alone ? kept : surplus).add(pod);
            }
            long tooMany = active.size() - wanted(active.size()) - surplus.size();
            kept.stream()
                    .sorted(Comparator.comparing((JobPod pod) -> PodTemplate.isReady(pod.tree()))
                            .thenComparing(
                                    pod -> Json.string(pod.tree(), "metadata", "creationTimestamp"),
                                    Comparator.reverseOrder()))
                    .limit(Math.max(0, tooMany))
                    .forEach(surplus::add);
            return surplus;
        }

        private void create(List<JobPod> active, Map<Integer, JobPod> replaced) {
            boolean afterFailure = Json.string(spec, "podReplacementPolicy").equals("Failed");
            List<JobPod> terminating = pods.stream().filter(JobPod::terminating).toList();
            long missing = wanted(active.size()) - active.size() - (afterFailure ? terminating.size() : 0);
            if (!indexed) {
                for (; missing > 0; missing--) {
                    create(template(object.name()));
                }
                return;
            }
            IndexRanges taken = new IndexRanges();
            taken.addAll(completed);
            taken.addAll(failedIndexes);
            Stream.concat(active.stream(), afterFailure ? terminating.stream() : Stream.empty())
                    .map(pod -> pod.index(completions))
                    .filter(index -> index >= 0)
                    .forEach(taken::add);
            for (int index = taken.firstMissing(0);
                    missing > 0 && index < completions;
                    index = taken.firstMissing(index + 1)) {
                create(indexed(index, replaced.get(index)));
                missing--;
            }
        }

        private void create(ObjectNode pod) {
            actions.create(WorkloadKind.POD, object, WorkloadKind.JOB, pod);
        }

        private ObjectNode template(String name) {
            ObjectNode pod = PodTemplate.instantiate(spec.path("template"), name);
            if (!isTracked(pod)) {
                Json.list(Json.child(pod, "metadata"), "finalizers").add(TRACKING);
            }
            return pod;
        }

        private ObjectNode indexed(int index, @Nullable JobPod before) {
            ObjectNode pod = template(object.name() + "-" + index);
            ObjectNode metadata = Json.child(pod, "metadata");
            ObjectNode annotations = Json.child(metadata, "annotations").put(INDEX, "" + index);
            Json.child(metadata, "labels").put(INDEX, "" + index);
            if (limitPerIndex) {
                boolean counts = before != null && countsAsFailed(before);
                long failures = before == null ? 0 : before.annotation(INDEX_FAILURES) + (counts ? 1 : 0);
                long ignored = before == null ? 0 : before.annotation(INDEX_IGNORED) + (counts ? 0 : 1);
                annotations.put(INDEX_FAILURES, "" + failures);
                if (ignored > 0) {
                    annotations.put(INDEX_IGNORED, "" + ignored);
                }
            }
            ObjectNode podSpec = Json.child(pod, "spec").put("hostname", object.name() + "-" + index);
            for (String field : List.of("initContainers", "containers")) {
                podSpec.path(field).forEach(container -> addIndexVariable((ObjectNode) container));
            }
            return pod;
        }

        private static void addIndexVariable(ObjectNode container) {
            ArrayNode variables = Json.list(container, "env");
            if (variables
                    .valueStream()
                    .noneMatch(each -> Json.string(each, "name").equals("JOB_COMPLETION_INDEX"))) {
                variables
                        .addObject()
                        .put("name", "JOB_COMPLETION_INDEX")
                        .putObject("valueFrom")
                        .putObject("fieldRef")
                        .put("apiVersion", "v1")
                        .put("fieldPath", "metadata.labels['" + INDEX + "']");
            }
        }
    }
}
