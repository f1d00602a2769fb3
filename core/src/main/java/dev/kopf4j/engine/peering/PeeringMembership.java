package dev.kopf4j.engine.peering;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The operator's part in one peering object, from joining to leaving. It gives signs of life, a few seconds before the
 * last one loses its meaning, and at once where the object was made anew or has none of it. It heeds those of others,
 * and pauses the operator as long as any of them has a higher or the same priority. Thread-safe.
 *
 * <p>The stream only notes the newest state of the object. A task of its own draws the consequences, again when the
 * time of a peer is over. It waits until a pause is obeyed, and looks at no newer state as long as work ends.
 */
final class PeeringMembership implements ListAndWatchListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");
    private static final Duration FAREWELL = Duration.ofSeconds(3);
    private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration REPEATED_AFTER = Duration.ofSeconds(2);

    /** How often a sign is repeated in a row until people are told. */
    private static final int REPETITIONS_TOLD = 3;

    /** The pause grows no more from then on: a new sign is due before it is over. */
    private static final int REPETITIONS_MAX = 10;

    /** How many refusals say that a permission lacks: it often comes a moment later than the operator. */
    private static final int REFUSALS_BELIEVED = 3;

    private final Platform platform;
    private final KubernetesApi api;
    private final PeeringObject peeringObject;
    private final Peer.Self self;
    private final boolean mandatory;
    private final boolean stealth;
    private final PauseReasons.Toggle toggle;
    private final Monitor monitor;
    private volatile List<Task> tasks = List.of();

    // Guarded by the monitor.
    private @Nullable ObjectNode newest;
    private boolean known;
    private boolean refused;
    private boolean noted;
    private boolean signWanted;
    /** When a sign may be repeated that is not in the object; null if the next one is on its way already. */
    private @Nullable Deadline repeatedFrom;
    /** True if the object, as it was seen last, has no living sign of this operator. */
    private boolean signMissing;
    /** How often in a row a sign was repeated: since one has lived until the next one was due. */
    private int repetitions;

    // Confined to the stream.
    private @Nullable ObjectNode listed;

    private int refusals;

    // Confined to the task that obeys the peers.
    private boolean conflicting;

    /** Of the records whose times cannot be read. */
    private final Map<String, FirstSeen> firstSeen = new HashMap<>();

    private boolean absent;
    /** Of the object as it was seen last; empty for none, null before the first look. */
    private @Nullable String uid;
    /** Since when there is another object, as long as no sign of this operator was seen in it. */
    private @Nullable Instant madeAnew;

    /**
     * Not joined yet.
     *
     * @param settings whether the peering is mandatory, and whether not to log each sign of life
     * @param toggle the reason not to act
     */
    PeeringMembership(
            Platform platform,
            KubernetesApi api,
            PeeringObject peeringObject,
            Peer.Self self,
            OperatorSettings.Peering settings,
            PauseReasons.Toggle toggle) {
        this.platform = platform;
        this.api = api;
        this.peeringObject = peeringObject;
        this.self = self;
        this.mandatory = settings.mandatory();
        this.stealth = settings.stealth();
        this.toggle = toggle;
        this.monitor = platform.monitor();
    }

    /** Takes part from now on. */
    void join(ListAndWatchLoop loop) {
        tasks = List.of(
                platform.spawnEssential("keep-alive in " + peeringObject, Platform.untilInterrupted(this::keepAlive)),
                platform.spawnEssential("peers in " + peeringObject, Platform.untilInterrupted(this::obeyPeers)),
                platform.spawnEssential("stream of peering " + peeringObject, () -> loop.run(this)));
    }

    private void keepAlive() throws InterruptedException {
        while (true) {
            awaitSignWanted(platform.after(giveSign() ? untilNextSign() : REPEATED_AFTER));
        }
    }

    /** Waits until a sign of life is wanted at once, as no earlier one can be in the object, or until the deadline. */
    private void awaitSignWanted(Deadline deadline) throws InterruptedException {
        monitor.awaitTrue(() -> signWanted, deadline);
        monitor.locked(() -> {
            signWanted = false;
        });
    }

    /** False if nobody may have heard it: others take over when the last one has lost its meaning. */
    private boolean giveSign() throws InterruptedException {
        boolean lived = monitor.locked(() -> !signMissing);
        try {
            peeringObject.patch(hasty(), self.alive(platform.now()));
            monitor.locked(() -> {
                repetitions = lived ? 0 : repetitions;
                repeatedFrom = platform.after(untilRepetition());
            });
            if (!stealth) {
                log.debug("Keep-alive in {}: ok.", peeringObject);
            }
        } catch (NotFoundException e) {
            log.debug("Keep-alive in {}: not found.", peeringObject);
        } catch (ClientException e) {
            log.warn("Keep-alive in {} has failed, and will be repeated: {}", peeringObject, e.getMessage());
            return false;
        }
        return true;
    }

    /** A way to the API server that gives up early, and does not try again: an old sign is worth nothing. */
    private KubernetesApi hasty() {
        Duration usual = api.settings().requestTimeout();
        Duration fraction = self.lifetime().dividedBy(4);
        Duration timeout = fraction.compareTo(LEAST_TIMEOUT) < 0 ? LEAST_TIMEOUT : fraction;
        return api.with(api.settings().urgent(timeout.compareTo(usual) < 0 ? timeout : usual));
    }

    /** Whoever removes the sign each time, as the clocks differ, would be answered without end. */
    private Duration untilRepetition() {
        return REPEATED_AFTER.multipliedBy(1L << Math.clamp(repetitions - 1, 0, REPETITIONS_MAX));
    }

    private Duration untilNextSign() {
        long lifetime = self.lifetime().toSeconds();
        long early = Math.max(1, lifetime - platform.random().nextInt(5, 11));
        return Duration.ofSeconds(Math.max(1, Math.min(lifetime, early)));
    }

    @Override
    public void listStarted() {
        listed = null;
    }

    @Override
    public void listed(ObjectNode object) {
        if (peeringObject.isMe(object)) {
            listed = object;
        }
    }

    @Override
    public void listComplete(String resourceVersion) {
        monitor.locked(() -> {
            refused = false;
            note(listed);
        });
    }

    @Override
    public void event(WatchEvent event) {
        if (peeringObject.isMe(event.object())) {
            note(event.type() == WatchEvent.Type.DELETED ? null : event.object());
        }
    }

    /**
     * Without permissions there is no peering, and nobody to wait for unless that is wanted. One API server may know of
     * the permissions later than another one, and the peers of this operator are alive meanwhile.
     */
    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        boolean unknown = monitor.locked(() -> !known);
        if (failure instanceof ForbiddenException && unknown && ++refusals == REFUSALS_BELIEVED) {
            log.warn(
                    "K4-005: Not enough permissions to watch the peering object {}: {}. {}",
                    peeringObject,
                    mandatory ? "the operator is paused, as the peering is mandatory" : "there is no peering",
                    failure.getMessage());
            monitor.locked(() -> {
                refused = true;
                note(null);
            });
        }
    }

    private void note(@Nullable ObjectNode object) {
        monitor.locked(() -> {
            newest = object;
            known = true;
            noted = true;
        });
    }

    private void obeyPeers() throws InterruptedException {
        Deadline again = Deadline.NEVER;
        while (true) {
            monitor.awaitTrue(() -> noted, again);
            ObjectNode object = monitor.locked(() -> {
                noted = false;
                return newest;
            });
            again = adjust(object, monitor.locked(() -> refused));
        }
    }

    /**
     * Pauses or resumes the operator, as the peering object wants it.
     *
     * @param object its newest state; null if there is none
     * @param refused true if this operator must not look at it
     * @return when to look again
     */
    private Deadline adjust(@Nullable ObjectNode object, boolean refused) throws InterruptedException {
        noteIdentity(object);
        boolean missing = object != null && !hasLivingSign(object);
        monitor.locked(() -> {
            signMissing = missing;
        });
        Deadline signAgain = missing ? repeatSign() : Deadline.NEVER;
        if (object == null && mandatory) {
            tellOfAbsence(refused);
            conflicting = false;
            toggle.pause("the peering object " + peeringObject + " does not exist");
            return Deadline.NEVER;
        }
        if (absent && object != null) {
            absent = false;
            log.info("The peering object {} exists now.", peeringObject);
        }
        if (object != null && mandatory && madeAnew != null && !isSignedSince(madeAnew, object)) {
            conflicting = false;
            toggle.pause("the peering object " + peeringObject + " has no sign of this operator yet");
            return signAgain;
        }
        madeAnew = null;
        firstSeen
                .keySet()
                .removeIf(identity -> object == null || !object.path("status").has(identity));
        Conflicts conflicts = object == null
                ? Conflicts.NONE
                : Conflicts.of(object, self.identity(), self.priority(), platform.now(), this::firstSeen);
        obey(conflicts);
        if (object != null) {
            clean(conflicts, object);
        }
        return conflicts
                .nextDeadline()
                .map(moment -> platform.after(Duration.between(platform.now(), moment)))
                .orElse(Deadline.NEVER)
                .orEarlier(signAgain);
    }

    /** From when on a record is unchanged: its time may be unreadable. */
    private Instant firstSeen(String identity, JsonNode record) {
        FirstSeen known = firstSeen.get(identity);
        if (known == null || !known.record().equals(record)) {
            known = new FirstSeen(record, platform.now());
            firstSeen.put(identity, known);
        }
        return known.at();
    }

    /** A record as it is, and when it was seen first. */
    private record FirstSeen(JsonNode record, Instant at) {}

    /**
     * A sign that was given is gone, or too old: the machine was suspended, so that others took this operator for dead,
     * or somebody has removed the record. They act until they see another one. Each repetition comes later than the one
     * before, until one has lived.
     *
     * @return when to look again; never if the sign is about to be given
     */
    private Deadline repeatSign() {
        Deadline from = monitor.locked(() -> Objects.requireNonNullElse(repeatedFrom, Deadline.NEVER));
        if (!from.hasPassed(platform)) {
            return from;
        }
        int times = monitor.locked(() -> {
            repeatedFrom = null;
            signWanted = true;
            return ++repetitions;
        });
        if (times == REPETITIONS_TOLD) {
            log.warn(
                    "The record of this operator in the peering {} is removed again and again, so that others may act"
                            + " meanwhile; it is written less often from now on. Do clocks differ by more than the lifetime of"
                            + " {} seconds, or does somebody remove the record?",
                    peeringObject,
                    self.lifetime().toSeconds());
        }
        return Deadline.NEVER;
    }

    private boolean hasLivingSign(ObjectNode object) {
        JsonNode record = object.path("status").path(self.identity());
        Instant now = platform.now();
        return record.isObject() && !Peer.of(self.identity(), record, now).isDead(now);
    }

    /**
     * An object that was made anew has the sign of nobody: as long as the own one is not in it, others do not pause for
     * this operator, and where it is, all that were given before are, too.
     */
    private void noteIdentity(@Nullable ObjectNode object) {
        String before = uid;
        uid = object == null ? "" : object.path("metadata").path("uid").asString("unknown");
        if (object != null && before != null && !uid.equals(before)) {
            madeAnew = platform.now().truncatedTo(ChronoUnit.SECONDS);
            if (mandatory) {
                log.info(
                        "The peering object {} was made anew: the operator waits until its own sign is in it.",
                        peeringObject);
            }
            monitor.locked(() -> {
                signWanted = true;
            });
        }
    }

    private boolean isSignedSince(Instant moment, ObjectNode object) {
        JsonNode record = object.path("status").path(self.identity());
        return record.isObject()
                && !Peer.of(self.identity(), record, platform.now()).lastSeen().isBefore(moment);
    }

    private void tellOfAbsence(boolean refused) {
        if (!absent && !refused) {
            absent = true;
            log.warn(
                    "K4-005: The operator is paused: the peering is mandatory, but the peering object {} does not exist. Create it"
                            + " (deploy/peering.yaml has one), or run the operator with --standalone, or with another"
                            + " --peering.",
                    peeringObject);
        }
    }

    private void obey(Conflicts conflicts) throws InterruptedException {
        if (!conflicts.higher().isEmpty()) {
            if (!conflicting) {
                log.info(
                        "Pausing operations in favour of {} in the peering object {}.",
                        conflicts.higher(),
                        peeringObject);
            }
            conflict("operators with a higher priority in the peering object " + peeringObject + ": "
                    + conflicts.higher());
        } else if (!conflicts.same().isEmpty()) {
            log.warn(
                    "K4-006: Possibly conflicting operators with the same priority: {} in the peering object {}.",
                    conflicts.same(),
                    peeringObject);
            if (!conflicting) {
                log.warn("Pausing all operators, including self: {}", conflicts.same());
            }
            conflict("operators with the same priority in the peering object " + peeringObject + ": "
                    + conflicts.same());
        } else {
            if (conflicting) {
                log.info(
                        "Resuming operations after the pause. Conflicting operators are gone from the peering object {}.",
                        peeringObject);
            }
            conflicting = false;
            toggle.resume();
        }
    }

    private void conflict(String reason) throws InterruptedException {
        conflicting = true;
        toggle.pause(reason);
    }

    /** Once, and only if the object is still as it was judged: who has given a sign meanwhile must not be removed. */
    private void clean(Conflicts conflicts, ObjectNode judged) throws InterruptedException {
        if (conflicts.dead().isEmpty()) {
            return;
        }
        try {
            peeringObject.patch(hasty(), conflicts.cleaning(judged));
        } catch (ClientException e) {
            log.debug("Dead peers could not be removed from {}: {}", peeringObject, e.getMessage());
        }
    }

    /**
     * Gives no signs of life any more; there is no reason to pause any more, once the tasks have ended.
     *
     * @param removing true to remove the own record, with one quick attempt: otherwise it expires by itself
     */
    void leave(boolean removing) throws InterruptedException {
        tasks.forEach(Task::interrupt);
        for (Task task : tasks) {
            task.join(Deadline.NEVER);
        }
        toggle.resume();
        if (!removing) {
            return;
        }
        try {
            peeringObject.patch(api.with(api.settings().urgent(FAREWELL)), self.gone());
        } catch (NotFoundException e) {
            log.debug("There is no peering object {} to leave.", peeringObject);
        } catch (ClientException e) {
            log.warn("Couldn't remove self from the peering {}. Ignoring. {}", peeringObject, e.getMessage());
        }
    }

    /**
     * What a peering object means for one operator at a moment. Immutable.
     *
     * @param higher living peers with a higher priority
     * @param same living peers with the same priority, itself not among them
     * @param dead others whose time is over
     */
    private record Conflicts(List<Peer> higher, List<Peer> same, List<Peer> dead) {
        /** No peers. */
        static final Conflicts NONE = new Conflicts(List.of(), List.of(), List.of());

        /** Copies the lists. */
        Conflicts {
            higher = List.copyOf(higher);
            same = List.copyOf(same);
            dead = List.copyOf(dead);
        }

        /**
         * Judges all records of the object.
         *
         * @param firstSeen when a record was seen first as it is, where its time cannot be read
         */
        static Conflicts of(
                ObjectNode object,
                String self,
                long priority,
                Instant now,
                BiFunction<String, JsonNode, Instant> firstSeen) {
            List<Peer> all = new ArrayList<>();
            object.path("status").forEachEntry((identity, record) -> {
                if (record.isObject()) {
                    boolean odd = record.hasNonNull("lastseen") && !Peer.isReadable(record);
                    all.add(Peer.of(identity, record, odd ? firstSeen.apply(identity, record) : now));
                }
            });
            List<Peer> others = all.stream()
                    .filter(peer -> !peer.isDead(now) && !peer.identity().equals(self))
                    .toList();
            return new Conflicts(
                    others.stream().filter(peer -> peer.priority() > priority).toList(),
                    others.stream().filter(peer -> peer.priority() == priority).toList(),
                    all.stream()
                            .filter(peer -> peer.isDead(now) && !peer.identity().equals(self))
                            .toList());
        }

        /** When the first of those in the way will count as dead. */
        Optional<Instant> nextDeadline() {
            return Stream.concat(higher.stream(), same.stream())
                    .map(Peer::deadline)
                    .min(Instant::compareTo);
        }

        /** The patch that removes the dead. */
        ObjectNode cleaning(ObjectNode judged) {
            ObjectNode patch = Json.object();
            String version = judged.path("metadata").path("resourceVersion").asString("");
            if (!version.isEmpty()) {
                patch.putObject("metadata").put("resourceVersion", version);
            }
            ObjectNode status = patch.putObject("status");
            dead.forEach(peer -> status.putNull(peer.identity()));
            return patch;
        }
    }
}
