package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.NodeFit;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.WorkItem;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.resource.SimulatedNode;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.value.ApiTimes;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulates scheduler and kubelet: a pod gets a node, runs and is ready, completes if a job owns it, and ends when it
 * is deleted.
 */
final class PodLifecycle implements WorkloadController {
    /** {@code quarantineTime} in {@code pkg/controller/podgc/gc_controller.go}, v1.33. */
    private static final Duration QUARANTINE = Duration.ofSeconds(40);

    private static final IpAddresses.Range ANY_RANGE =
            IpAddresses.parseRange(new SimulatedNode(1).podCidr()).orElseThrow();
    private final ControllerActions actions;
    private final Duration delay;

    /** The uids of pods whose next step is scheduled. */
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    /** Since when the nodes of pods have had taints that throw them out, by uid. */
    private final Map<String, Instant> tainted = new ConcurrentHashMap<>();

    /** Since when the nodes of pods have been missing, by uid. */
    private final Map<String, Instant> lost = new ConcurrentHashMap<>();

    /** The pods that have had addresses last. */
    private final Map<String, WorkItem> addresses = new ConcurrentHashMap<>();

    /** The pods that wait for a node near others, or far from them. */
    private final Set<WorkItem> choosy = new ConcurrentSkipListSet<>(
            Comparator.comparing(WorkItem::namespace).thenComparing(WorkItem::name));

    PodLifecycle(ControllerActions actions, Duration delay) {
        this.actions = actions;
        this.delay = delay;
    }

    /** The next state of a pod. */
    @FunctionalInterface
    private interface Step {
        void take(ObjectNode pod, String now);
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode pod = object.tree();
        if (object.deleting()) {
            tainted.remove(object.uid());
            lost.remove(object.uid());
            terminate(object, pod);
            return;
        }
        String address = Json.string(pod, "status", "podIP");
        if (!address.isEmpty() && !PodTemplate.hasEnded(pod)) {
            addresses.putIfAbsent(address, WorkItem.of(WorkloadKind.POD, object));
        }
        if (isOrphaned(object, pod)) {
            collect(object, pod);
            return;
        }
        Optional<Instant> deadline = deadline(pod);
        if (deadline.filter(time -> !time.isAfter(actions.instant())).isPresent()) {
            PodProgress.exceed(pod, actions.now());
            actions.replace(WorkloadKind.POD, object, pod);
            return;
        }
        deadline.ifPresent(time -> actions.syncAt(WorkloadKind.POD, object, time));
        if (isEvicted(object, pod)) {
            actions.delete(WorkloadKind.POD, object);
            return;
        }
        proceed(object, pod);
    }

    @Override
    public void gone(String namespace, String name) {
        choosy.remove(new WorkItem(WorkloadKind.POD, namespace, name));
    }

    /** The pods that wait for a node near others, or far from them. */
    Set<WorkItem> choosy() {
        return choosy;
    }

    /**
     * Whether the node of a pod has gone, and not come back for a while; if it may still come, the pod is looked at
     * again then. {@code gcOrphaned} in {@code pkg/controller/podgc/gc_controller.go}, v1.33.
     */
    private boolean isOrphaned(StoredObject object, JsonNode pod) {
        String name = Json.string(pod, "spec", "nodeName");
        if (name.isEmpty() || actions.find(WorkloadKind.NODE, "", name).isPresent()) {
            lost.remove(object.uid());
            return false;
        }
        Instant end =
                lost.computeIfAbsent(object.uid(), any -> actions.instant()).plus(QUARANTINE);
        if (!end.isAfter(actions.instant())) {
            return true;
        }
        actions.syncAt(WorkloadKind.POD, object, end);
        return false;
    }

    /** {@code markFailedAndDeletePodWithCondition} there. */
    private void collect(StoredObject object, ObjectNode pod) {
        if (PodTemplate.hasEnded(pod)) {
            actions.delete(WorkloadKind.POD, object);
        } else {
            Json.child(pod, "status").put("phase", "Failed");
            disrupt(object, pod, "DeletionByPodGC", "PodGC: node no longer exists");
        }
    }

    /** Whether a taint of the node throws the pod out now; if it will later, the pod is looked at again then. */
    private boolean isEvicted(StoredObject object, ObjectNode pod) {
        String name = Json.string(pod, "spec", "nodeName");
        Optional<JsonNode> node = name.isEmpty() || PodTemplate.hasEnded(pod)
                ? Optional.empty()
                : actions.find(WorkloadKind.NODE, "", name).map(StoredObject::tree);
        Optional<Duration> patience = node.flatMap(found -> NodeFit.patience(pod.path("spec"), found));
        if (patience.isEmpty()) {
            tainted.remove(object.uid());
            return false;
        }
        Instant since = tainted.computeIfAbsent(object.uid(), any -> actions.instant());
        Instant end = ApiTimes.later(since, patience.get().toSeconds());
        if (!end.isAfter(actions.instant())) {
            tainted.remove(object.uid());
            return true;
        }
        actions.syncAt(WorkloadKind.POD, object, end);
        return false;
    }

    /** When a pod that runs, or is about to, is ended ({@code activeDeadlineSeconds}). */
    private static Optional<Instant> deadline(JsonNode pod) {
        JsonNode seconds = pod.at("/spec/activeDeadlineSeconds");
        String start = Json.string(pod, "status", "startTime");
        return !seconds.isNumber() || start.isEmpty() || PodTemplate.hasEnded(pod)
                ? Optional.empty()
                : Optional.of(ApiTimes.later(Instant.parse(start), seconds.longValue()));
    }

    private void proceed(StoredObject object, ObjectNode pod) {
        boolean gated = PodProgress.hasReadyContainers(pod)
                && !pod.path("spec").path("readinessGates").isEmpty();
        if (gated) {
            PodProgress.judge(pod, actions.now());
        }
        boolean debugged = !pod.path("spec").path("ephemeralContainers").isEmpty() && PodProgress.hasBegun(pod);
        if (debugged) {
            PodProgress.runEphemeralContainers(pod, actions.now());
        }
        if (gated || debugged) {
            actions.replace(WorkloadKind.POD, object, pod);
        }
        if (PodTemplate.phase(pod).equals("Pending") && !PodImages.isPullBackOff(pod)) {
            if (Json.string(pod, "spec", "nodeName").isEmpty()) {
                if (isToBeScheduled(pod)) {
                    schedule(object, pod);
                }
            } else {
                later(object, PodImages.canBePulled(pod) ? started(pod) : PodProgress::lackImage);
            }
        } else if (PodFate.of(pod).isPresent()) {
            PodFate.of(pod)
                    .filter(fate -> !fate.isFulfilled(pod) && !PodTemplate.hasEnded(pod))
                    .ifPresent(fate -> later(object, fate::fulfill));
        } else if (PodTemplate.phase(pod).equals("Running")) {
            Optional<PodCommand> command = PodCommand.of(pod, actions.isOwnedBy(WorkloadKind.JOB, object));
            if (PodProgress.isHeldUnready(pod)
                    && command.filter(PodCommand::restarts).isEmpty()) {
                later(object, PodLifecycle::recover);
            } else {
                command.ifPresent(known -> later(object, known::endUnlessFated, known.wait(pod, delay)));
            }
        }
    }

    /** Lets a pod be ready again whose fate is over; another one may have come meanwhile. */
    private static void recover(ObjectNode pod, String now) {
        if (PodFate.of(pod).isPresent()) {
            PodFate.of(pod).filter(fate -> !fate.isFulfilled(pod)).ifPresent(fate -> fate.fulfill(pod, now));
        } else if (PodProgress.isHeldUnready(pod)) {
            PodProgress.run(pod, now);
        }
    }

    /** Whether it is for the default scheduler, and nothing holds it back ({@code schedulingGates}). */
    private static boolean isToBeScheduled(JsonNode pod) {
        String scheduler = Json.string(pod, "spec", "schedulerName");
        return (scheduler.isEmpty() || scheduler.equals("default-scheduler"))
                && pod.path("spec").path("schedulingGates").isEmpty();
    }

    private void schedule(StoredObject object, ObjectNode pod) {
        nodeFor(pod)
                .ifPresentOrElse(
                        node -> {
                            choosy.remove(WorkItem.of(WorkloadKind.POD, object));
                            PodProgress.schedule(pod, node, actions.now());
                        },
                        () -> leaveWaiting(object, pod));
        actions.replace(WorkloadKind.POD, object, pod);
    }

    /** Leaves a pod without a node, and says so by an event, as the scheduler does, once. */
    private void leaveWaiting(StoredObject object, ObjectNode pod) {
        if (PodAffinity.isRequired(pod)) {
            choosy.add(WorkItem.of(WorkloadKind.POD, object));
        }
        boolean told = StatusConditions.find(pod.path("status"), "PodScheduled")
                .filter(condition -> Json.string(condition, "reason").equals("Unschedulable"))
                .isPresent();
        PodProgress.wait(pod, actions.now());
        preempt(pod);
        if (!told) {
            actions.warn(WorkloadKind.POD, object, "FailedScheduling", PodProgress.NO_NODE, "default-scheduler");
        }
    }

    /** The node with the fewest pods among those that fit; empty if none fits. */
    private Optional<StoredObject> nodeFor(ObjectNode pod) {
        List<StoredObject> candidates = candidates(pod);
        boolean asks = NodeRoom.isAskedFor(pod.path("spec"));
        if (candidates.isEmpty() || (candidates.size() == 1 && !asks)) {
            return candidates.stream().findFirst();
        }
        Map<String, List<JsonNode>> specs = actions.all(WorkloadKind.POD).stream()
                .map(StoredObject::tree)
                .filter(each -> !PodTemplate.hasEnded(each))
                .map(each -> each.path("spec"))
                .collect(Collectors.groupingBy(spec -> Json.string(spec, "nodeName")));
        return candidates.stream()
                .filter(node -> !asks
                        || NodeRoom.has(node.tree(), pod.path("spec"), specs.getOrDefault(node.name(), List.of())))
                .min(Comparator.comparingInt(
                        node -> specs.getOrDefault(node.name(), List.of()).size()));
    }

    /** The simulated nodes, or the only one that the pod names, that are open, and fit but for what it requests. */
    private List<StoredObject> candidates(ObjectNode pod) {
        JsonNode spec = pod.path("spec");
        String named = PodTemplate.node(pod);
        Optional<PodAffinity> affinity = PodAffinity.of(pod, actions);
        return actions.all(WorkloadKind.NODE).stream()
                .filter(node -> named.isEmpty() ? SimulatedNode.is(node.name()) : named.equals(node.name()))
                .filter(node -> !node.deleting() && NodeFit.isOpen(spec, node.tree()))
                .filter(node -> NodeFit.of(spec, node.tree()).run())
                .filter(node -> affinity.isEmpty() || affinity.get().allows(node.tree()))
                .toList();
    }

    /**
     * Throws out pods of less priority, the least first, on the node where the highest of them is lowest, if that makes
     * room for the pod; it gets the node when they are gone. {@code pkg/scheduler/framework/plugins/defaultpreemption},
     * v1.33, without disruption budgets.
     */
    private void preempt(ObjectNode pod) {
        long priority = priority(pod);
        if (Json.string(pod, "spec", "preemptionPolicy").equals("Never") || !NodeRoom.isAskedFor(pod.path("spec"))) {
            return;
        }
        Map<String, List<StoredObject>> present = actions.all(WorkloadKind.POD).stream()
                .filter(each -> !PodTemplate.hasEnded(each.tree()))
                .collect(Collectors.groupingBy(each -> Json.string(each.tree(), "spec", "nodeName")));
        candidates(pod).stream()
                .map(node -> victims(node, pod, present.getOrDefault(node.name(), List.of())))
                .filter(victims ->
                        !victims.isEmpty() && priority(victims.getLast().tree()) < priority)
                .min(Comparator.comparingLong(
                        victims -> priority(victims.getLast().tree())))
                .ifPresent(victims -> victims.forEach(this::throwOut));
    }

    /** The pods with the least priority that have to go, in its order; none if it is no use, or some are going. */
    private static List<StoredObject> victims(StoredObject node, ObjectNode pod, List<StoredObject> present) {
        List<StoredObject> left = new ArrayList<>(present);
        left.sort(Comparator.comparingLong(each -> priority(each.tree())));
        List<StoredObject> victims = new ArrayList<>();
        while (!NodeRoom.has(
                node.tree(),
                pod.path("spec"),
                left.stream().map(each -> each.tree().path("spec")).toList())) {
            if (left.isEmpty() || left.getFirst().deleting()) {
                return List.of();
            }
            victims.add(left.removeFirst());
        }
        return victims;
    }

    private void throwOut(StoredObject victim) {
        disrupt(
                victim,
                victim.tree(),
                "PreemptionByScheduler",
                "default-scheduler: preempting to accommodate a higher priority pod");
    }

    /** Deletes a pod, and tells on it why. */
    private void disrupt(StoredObject object, ObjectNode pod, String reason, String message) {
        StatusConditions.set(Json.child(pod, "status"), "DisruptionTarget", true, reason, message, actions.now());
        actions.replace(WorkloadKind.POD, object, pod);
        actions.delete(WorkloadKind.POD, object);
    }

    private static long priority(JsonNode pod) {
        return pod.path("spec").path("priority").longValue(0);
    }

    private static Step started(ObjectNode pod) {
        return PodFate.of(pod).map(fate -> (Step) fate::fulfill).orElse(PodProgress::run);
    }

    private void later(StoredObject object, Step step) {
        later(object, step, delay);
    }

    private void later(StoredObject object, Step step, Duration after) {
        if (waiting.add(object.uid())) {
            actions.state().taskScheduler().later(after, () -> {
                waiting.remove(object.uid());
                actions.find(WorkloadKind.POD, object.namespace(), object.name())
                        .filter(current -> current.uid().equals(object.uid()) && !current.deleting())
                        .ifPresent(current -> take(step, current));
            });
        }
    }

    private void take(Step step, StoredObject current) {
        ObjectNode pod = current.tree();
        step.take(pod, actions.now());
        if (PodTemplate.phase(pod).equals("Running") && !pod.path("status").has("podIP")) {
            giveAddress(current, pod);
        }
        actions.replace(WorkloadKind.POD, current, pod);
    }

    /** Gives a pod a free address of its node, or the node's own if it shares its network. */
    private void giveAddress(StoredObject object, ObjectNode pod) {
        JsonNode node = actions.find(WorkloadKind.NODE, "", Json.string(pod, "spec", "nodeName"))
                .<JsonNode>map(StoredObject::tree)
                .orElse(Json.missing());
        String host = node.at("/status/addresses/0/address").asString("");
        boolean shares = pod.at("/spec/hostNetwork").booleanValue(false) && !host.isEmpty();
        ObjectNode status = Json.child(pod, "status");
        PodProgress.setAddress(status, "hostIP", host);
        PodProgress.setAddress(
                status, "podIP", shares ? host : freeAddress(object, Json.string(node, "spec", "podCIDR")));
    }

    /** The next address of a range that no other pod has, from one on that depends on the pod. */
    private String freeAddress(StoredObject object, String cidr) {
        IpAddresses.Range range = IpAddresses.parseRange(cidr)
                .filter(each -> each.address().getAddress().length == 4 && each.bits() >= 8 && each.bits() <= 30)
                .orElse(ANY_RANGE);
        int size = (1 << (32 - range.bits())) - 2; // neither the first nor the last one
        int first = ByteBuffer.wrap(range.masked().address().getAddress()).getInt() + 1;
        int start = Math.floorMod(object.uid().hashCode(), size);
        String address = IntStream.range(0, size)
                .mapToObj(offset -> shown(first + (start + offset) % size))
                .filter(each -> !isTaken(each))
                .findFirst()
                .orElseGet(() -> shown(first + start));
        addresses.put(address, WorkItem.of(WorkloadKind.POD, object));
        return address;
    }

    private static String shown(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "." + (address & 0xff);
    }

    private boolean isTaken(String address) {
        WorkItem holder = addresses.get(address);
        return holder != null
                && actions.find(holder.kind(), holder.namespace(), holder.name())
                        .map(StoredObject::tree)
                        .filter(pod -> !PodTemplate.hasEnded(pod)
                                && Json.string(pod, "status", "podIP").equals(address))
                        .isPresent();
    }

    /** Ends a pod at once, because no container has to shut down. */
    private void terminate(StoredObject object, ObjectNode pod) {
        ObjectNode metadata = Json.child(pod, "metadata");
        if (metadata.path("finalizers").isEmpty()) {
            actions.remove(WorkloadKind.POD, object);
        } else if (metadata.path("deletionGracePeriodSeconds").longValue(0) > 0 || isCutOff(pod)) {
            metadata.put("deletionGracePeriodSeconds", 0);
            if (isCutOff(pod)) {
                PodProgress.fail(pod, PodProgress.KILLED, actions.now());
            }
            actions.replace(WorkloadKind.POD, object, pod);
        }
    }

    /** Whether the deletion ends what should have ended by itself: a job counts it as failed. */
    private static boolean isCutOff(JsonNode pod) {
        return !PodTemplate.hasEnded(pod)
                && !Json.string(pod, "spec", "restartPolicy").equals("Always");
    }

    /**
     * When the containers of a pod end by themselves, and how: by the few commands whose end is known without running
     * them, {@code sleep SECONDS}, {@code exit CODE} in a shell, {@code true} and {@code false}. Others end with
     * success in pods of jobs, and run for ever in others; the image {@code pause} runs for ever in all.
     *
     * @param restarted whether containers that have failed are started again
     */
    private record PodCommand(Duration time, int exitCode, boolean restarted) {
        private static final Pattern EXIT = Pattern.compile("\\s*exit\\s+(\\d{1,3})\\s*");
        private static final Pattern SHELL = Pattern.compile("(/bin/)?(ba)?sh");
        private static final Pattern SLEEP = Pattern.compile("(/bin/)?sleep");
        private static final Pattern PAUSE = Pattern.compile("(.*/)?pause([:@].*)?");
        private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(10);
        private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(5);

        static Optional<PodCommand> of(JsonNode pod, boolean ofJob) {
            String policy = Json.string(pod, "spec", "restartPolicy");
            if (policy.equals("Always")) {
                return Optional.empty();
            }
            Duration longest = Duration.ZERO;
            int exitCode = 0;
            for (JsonNode container : pod.path("spec").path("containers")) {
                Optional<PodCommand> command = of(container, policy);
                if (PAUSE.matcher(Json.string(container, "image")).matches() || (command.isEmpty() && !ofJob)) {
                    return Optional.empty();
                }
                if (command.isPresent()) {
                    longest = longest.compareTo(command.get().time()) < 0
                            ? command.get().time()
                            : longest;
                    exitCode = Math.max(exitCode, command.get().exitCode());
                }
            }
            return Optional.of(new PodCommand(longest, exitCode, policy.equals("OnFailure")));
        }

        private static Optional<PodCommand> of(JsonNode container, String policy) {
            List<String> words = Stream.of("command", "args")
                    .flatMap(field -> Json.items(container, field))
                    .map(JsonNode::asString)
                    .toList();
            boolean restarted = policy.equals("OnFailure");
            if (words.size() == 2
                    && SLEEP.matcher(words.getFirst()).matches()
                    && words.getLast().matches("\\d{1,9}")) {
                return Optional.of(new PodCommand(Duration.ofSeconds(Long.parseLong(words.getLast())), 0, restarted));
            }
            Matcher exit = EXIT.matcher(words.isEmpty() ? "" : words.getLast());
            if (words.size() == 3
                    && SHELL.matcher(words.getFirst()).matches()
                    && words.get(1).equals("-c")
                    && exit.matches()) {
                return Optional.of(new PodCommand(Duration.ZERO, Integer.parseInt(exit.group(1)), restarted));
            }
            return words.equals(List.of("true")) || words.equals(List.of("false"))
                    ? Optional.of(new PodCommand(Duration.ZERO, words.equals(List.of("false")) ? 1 : 0, restarted))
                    : Optional.empty();
        }

        private boolean restarts() {
            return exitCode != 0 && restarted;
        }

        /** How long it takes to the end; after an end a kubelet waits twice as long as before, up to five minutes. */
        Duration wait(JsonNode pod, Duration delay) {
            long restarts = PodProgress.restarts(pod);
            Duration backOff = restarts == 0 || !restarts()
                    ? Duration.ZERO
                    : FIRST_BACK_OFF.multipliedBy(1L << Math.min(restarts - 1, 10));
            return delay.plus(time).plus(backOff.compareTo(LONGEST_BACK_OFF) > 0 ? LONGEST_BACK_OFF : backOff);
        }

        /** Its annotation may have come meanwhile. */
        void endUnlessFated(ObjectNode pod, String now) {
            PodFate.of(pod).ifPresentOrElse(fate -> fate.fulfill(pod, now), () -> end(pod, now));
        }

        private void end(ObjectNode pod, String now) {
            if (exitCode == 0) {
                PodProgress.complete(pod, now);
            } else if (restarts()) {
                PodProgress.crash(pod, exitCode, now);
            } else {
                PodProgress.fail(pod, exitCode, now);
            }
        }
    }

    /**
     * What becomes of a pod whose annotation asks for something else than success, so that the unhappy ways of
     * operators can be tried. The annotation may also come to a pod that runs.
     */
    private enum PodFate {
        /** The pod ends in the phase Failed, with exit code 1. */
        FAIL,
        /** Its containers end and are in CrashLoopBackOff. */
        CRASH,
        /** The pod ends in the phase Failed with the reason Evicted. */
        EVICT,
        /** It runs, but is not ready. */
        UNREADY,
        /** It ends in the phase Succeeded. */
        SUCCEED;

        /** The annotation; the value is the name of a fate in lower case. */
        static final String ANNOTATION = "devcluster.kopf4j.dev/pod";

        /** The fate of a pod; empty for the usual one, and for words that are none. */
        static Optional<PodFate> of(JsonNode pod) {
            String word = Json.string(pod.path("metadata").path("annotations"), ANNOTATION);
            for (PodFate fate : values()) {
                if (fate.name().toLowerCase(Locale.ROOT).equals(word)) {
                    return Optional.of(fate);
                }
            }
            return Optional.empty();
        }

        /** Whether it has come already. */
        boolean isFulfilled(JsonNode pod) {
            return switch (this) {
                case FAIL, EVICT, SUCCEED -> PodTemplate.hasEnded(pod);
                case CRASH ->
                    Json.items(pod, "status", "containerStatuses")
                            .anyMatch(container -> Json.string(container, "state", "waiting", "reason")
                                    .equals("CrashLoopBackOff"));
                case UNREADY ->
                    PodTemplate.phase(pod).equals("Running")
                            && !PodProgress.hasReadyContainers(pod)
                            && !CRASH.isFulfilled(pod);
            };
        }

        void fulfill(ObjectNode pod, String now) {
            switch (this) {
                case FAIL -> PodProgress.fail(pod, 1, now);
                case EVICT -> PodProgress.evict(pod, now);
                case CRASH -> PodProgress.crash(pod, 1, now);
                case UNREADY -> PodProgress.runUnready(pod, now);
                case SUCCEED -> PodProgress.complete(pod, now);
            }
        }
    }

    /** The states of a simulated pod. Pure. */
    private static final class PodProgress {
        /** The exit code of a container that does not stop when it is told to: 128 and SIGKILL. */
        static final int KILLED = 137;

        static final String NO_NODE = "no node that is open fits the pod's node selector, affinity and tolerations,"
                + " and has what it requests";

        private static final String CRASHING = "containers crash";
        private static final String PROBES_FAIL = "probes fail";

        private PodProgress() {}

        /** Puts a pod on a node. */
        static void schedule(ObjectNode pod, StoredObject node, String now) {
            Json.child(pod, "spec").put("nodeName", node.name());
            String address = node.tree().at("/status/addresses/0/address").asString("");
            ObjectNode status = Json.child(pod, "status");
            begin(status, now);
            setAddress(status, "hostIP", address);
            StatusConditions.set(status, "PodScheduled", true, "", "", now);
            StatusConditions.set(status, "Initialized", true, "", "", now);
            unready(status, "ContainersNotReady", "containers are starting", now);
            containers(pod, false, Json.object().set("waiting", Json.object().put("reason", "ContainerCreating")));
        }

        /** Says when the node has seen the pod: it may name its node itself, and is then not put there. */
        private static void begin(ObjectNode status, String now) {
            if (Json.string(status, "startTime").isEmpty()) {
                status.put("startTime", now);
            }
        }

        /** Leaves a pod without a node. */
        static void wait(ObjectNode pod, String now) {
            StatusConditions.set(Json.child(pod, "status"), "PodScheduled", false, "Unschedulable", NO_NODE, now);
        }

        /** How often the containers of a pod have been started again, at most. */
        static long restarts(JsonNode pod) {
            return Json.items(pod, "status", "containerStatuses")
                    .mapToLong(container -> container.path("restartCount").longValue(0))
                    .max()
                    .orElse(0);
        }

        /** Lets the containers of a pod run and be ready. */
        static void run(ObjectNode pod, String now) {
            ObjectNode status = Json.child(pod, "status");
            begin(status, now);
            status.put("phase", "Running");
            StatusConditions.set(status, "ContainersReady", true, "", "", now);
            judge(pod, now);
            containers(pod, true, Json.object().set("running", Json.object().put("startedAt", now)));
        }

        /** Whether the containers of a pod have been started, or their images cannot be pulled. */
        static boolean hasBegun(JsonNode pod) {
            return !PodTemplate.phase(pod).equals("Pending") || PodImages.isPullBackOff(pod);
        }

        /** Lets the containers run that debug a pod, until it ends: whoever adds one waits for that. */
        static void runEphemeralContainers(ObjectNode pod, String now) {
            ObjectNode status = Json.child(pod, "status");
            JsonNode before = status.path("ephemeralContainerStatuses");
            ArrayNode statuses = status.putArray("ephemeralContainerStatuses");
            for (JsonNode container : pod.path("spec").path("ephemeralContainers")) {
                JsonNode known = known(before, container);
                JsonNode state = known.path("state");
                if (PodTemplate.hasEnded(pod)) {
                    state = state.has("terminated")
                            ? state
                            : Json.object().set("terminated", terminated(status, KILLED, "Error", now));
                } else if (PodImages.isOfNoHost(container)) {
                    state = Json.object().set("waiting", Json.object().put("reason", PodImages.BACK_OFF));
                } else if (!state.has("running")) {
                    state = Json.object().set("running", Json.object().put("startedAt", now));
                }
                statuses.add(status(container, known, state, false));
            }
        }

        static boolean hasReadyContainers(JsonNode pod) {
            return PodTemplate.phase(pod).equals("Running")
                    && StatusConditions.isTrue(pod.path("status"), "ContainersReady");
        }

        /**
         * Whether the containers of a pod crash, or fail their probes: whoever else has set the status has other words.
         */
        static boolean isHeldUnready(JsonNode pod) {
            return PodTemplate.phase(pod).equals("Running")
                    && StatusConditions.find(pod.path("status"), "ContainersReady")
                            .map(condition -> Json.string(condition, "message"))
                            .filter(List.of(CRASHING, PROBES_FAIL)::contains)
                            .isPresent();
        }

        /**
         * Says whether a pod whose containers are ready is ready, too: {@code GeneratePodReadyCondition} in
         * {@code pkg/kubelet/status/generate.go}, v1.33.
         */
        static void judge(ObjectNode pod, String now) {
            ObjectNode status = Json.child(pod, "status");
            String closed = Json.items(pod, "spec", "readinessGates")
                    .map(gate -> Json.string(gate, "conditionType"))
                    .filter(type -> !StatusConditions.isTrue(status, type))
                    .map(type -> StatusConditions.find(status, type)
                            .map(condition -> "the status of pod readiness gate \"" + type + "\" is not \"True\", but "
                                    + Json.string(condition, "status"))
                            .orElse("corresponding condition of pod readiness gate \"" + type + "\" does not exist."))
                    .collect(Collectors.joining(", "));
            String reason = closed.isEmpty() ? "" : "ReadinessGatesNotReady";
            StatusConditions.set(status, "Ready", closed.isEmpty(), reason, closed, now);
        }

        /** Lets the containers of a pod wait for an image that cannot be pulled. */
        static void lackImage(ObjectNode pod, String now) {
            ObjectNode status = Json.child(pod, "status");
            begin(status, now);
            unready(status, "ContainersNotReady", "an image cannot be pulled", now);
            containers(pod, false, Json.object().set("waiting", Json.object().put("reason", PodImages.BACK_OFF)));
        }

        /** Lets the containers of a pod end with success. */
        static void complete(ObjectNode pod, String now) {
            ObjectNode status = Json.child(pod, "status");
            begin(status, now);
            status.put("phase", "Succeeded");
            unready(status, "PodCompleted", "", now);
            containers(pod, false, Json.object().set("terminated", terminated(status, 0, "Completed", now)));
        }

        /** The state of a container that has ended. */
        private static ObjectNode terminated(JsonNode status, int exitCode, String reason, String now) {
            return Json.object()
                    .put("exitCode", exitCode)
                    .put("reason", reason)
                    .put("startedAt", Json.string(status, "startTime"))
                    .put("finishedAt", now);
        }

        /** Ends a pod whose time is over. */
        static void exceed(ObjectNode pod, String now) {
            fail(pod, KILLED, now);
            Json.child(pod, "status")
                    .put("reason", "DeadlineExceeded")
                    .put("message", "Pod was active on the node longer than the specified deadline");
        }

        /** Lets the containers of a pod end without success. */
        static void fail(ObjectNode pod, int exitCode, String now) {
            ObjectNode status = Json.child(pod, "status");
            begin(status, now);
            status.put("phase", "Failed");
            unready(status, "ContainersNotReady", "", now);
            containers(pod, false, Json.object().set("terminated", terminated(status, exitCode, "Error", now)));
        }

        /** Ends a pod because the node has thrown it out. */
        static void evict(ObjectNode pod, String now) {
            ObjectNode status = Json.child(pod, "status");
            begin(status, now);
            status.put("phase", "Failed");
            unready(status, "PodFailed", "", now);
            status.put("reason", "Evicted").put("message", "The node was low on resource: memory.");
            status.remove("containerStatuses");
        }

        /** Lets the containers of a pod end and wait for their next start. */
        static void crash(ObjectNode pod, int exitCode, String now) {
            long restarts = restarts(pod);
            ObjectNode status = Json.child(pod, "status");
            begin(status, now);
            status.put("phase", "Running");
            unready(status, "ContainersNotReady", CRASHING, now);
            containers(pod, false, Json.object().set("waiting", Json.object().put("reason", "CrashLoopBackOff")));
            ObjectNode terminated = terminated(status, exitCode, "Error", now);
            for (JsonNode container : status.path("containerStatuses")) {
                ((ObjectNode) container).put("restartCount", restarts + 1);
                ((ObjectNode) container.path("lastState")).set("terminated", terminated.deepCopy());
            }
        }

        /** Lets the containers of a pod run, but not be ready. */
        static void runUnready(ObjectNode pod, String now) {
            run(pod, now);
            unready(Json.child(pod, "status"), "ContainersNotReady", PROBES_FAIL, now);
            pod.path("status")
                    .path("containerStatuses")
                    .forEach(container -> ((ObjectNode) container).put("ready", false));
        }

        private static void unready(ObjectNode status, String reason, String message, String now) {
            StatusConditions.set(status, "ContainersReady", false, reason, message, now);
            StatusConditions.set(status, "Ready", false, reason, message, now);
        }

        /** Sets a single address, and the list that has it. */
        static void setAddress(ObjectNode status, String field, String address) {
            if (!address.isEmpty()) {
                status.put(field, address).putArray(field + "s").addObject().put("ip", address);
            }
        }

        /** Gives all containers a state; how often they were started, and how they ended last, stays. */
        private static void containers(ObjectNode pod, boolean ready, JsonNode state) {
            JsonNode before = pod.path("status").path("containerStatuses");
            ArrayNode statuses = Json.child(pod, "status").putArray("containerStatuses");
            for (JsonNode container : pod.path("spec").path("containers")) {
                statuses.add(status(container, known(before, container), state, ready)
                        .put("started", ready));
            }
        }

        /** The status that a container has had. */
        private static JsonNode known(JsonNode statuses, JsonNode container) {
            return statuses.valueStream()
                    .filter(each -> Json.string(each, "name").equals(Json.string(container, "name")))
                    .findFirst()
                    .orElse(Json.missing());
        }

        private static ObjectNode status(JsonNode container, JsonNode known, JsonNode state, boolean ready) {
            ObjectNode status = Json.object().put("name", Json.string(container, "name"));
            status.set("state", state.deepCopy());
            status.set("lastState", known.path("lastState").isObject() ? known.path("lastState") : Json.object());
            return status.put("ready", ready)
                    .put("restartCount", known.path("restartCount").longValue(0))
                    .put("image", Json.string(container, "image"))
                    .put("imageID", "");
        }
    }
}
