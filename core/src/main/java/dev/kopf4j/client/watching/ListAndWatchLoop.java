package dev.kopf4j.client.watching;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.api.WatchStream.DamagedStreamException;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.transport.ResponseStream.StreamIdleException;
import dev.kopf4j.client.watching.ListAndWatchLoop.WatchSession.StreamedList.NoInitialEventsException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.text.DurationText;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Follows the objects of one resource for ever: lists what exists, then watches what happens, and restores itself after
 * every failure (client-go: {@code Reflector.ListAndWatch}).
 *
 * <p>If {@link OperatorSettings.Watching#streamedLists()} is set, the list comes as the beginning of the watch where
 * the server has that; only its end makes it complete. Else it comes page by page, and if the listener wants so, the
 * watch begins after the first page ({@link EarlyWatch}).
 *
 * <p>After a watch has ended or broken, the next one goes on from the last version seen, without a new list. Everything
 * is listed anew only where that cannot work; {@link WatchEnding} says where, and after a failure a look at the
 * server's version, since the server may have been restored from a backup. The delays between failures grow up to a
 * bound; they start again from the first one after a watch that was healthy. Nothing of one server goes on at another
 * one that a login has led to. The listener is told what goes wrong, be it an error that nobody has foreseen. What a
 * proxy holds back is noticed ({@link HeldBackWatches}). What the listener fails to take comes again, with a new list.
 * The loop ends only when its task is interrupted.
 */
public final class ListAndWatchLoop {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /** The longest pause before a stream that fails is opened again. */
    private static final Duration RECONNECT_BACKOFF_MAX = Duration.ofSeconds(30);

    /**
     * How long a server that has gone back is not believed to have done so again: one whose lists have older versions
     * than its events would be listed anew at each failure.
     */
    private static final Duration GONE_BACK_APART = Duration.ofMinutes(10);

    private final Platform platform;
    private final WatchedCollection collection;
    private final OperatorSettings.Watching settings;
    private final @Nullable Duration resyncInterval;
    private final HeldBackWatches heldBack;

    /** True from a failure on, until the server is known not to be behind the version from which the watch goes on. */
    private volatile boolean doubtful;

    /** True if the server sends bookmarks, so that silence is a failure. */
    private volatile boolean bookmarks;

    /** How often the server had changed when the last list began. */
    private volatile int listedAt;

    /** From when on the server is believed to have gone back. */
    private volatile Deadline believedFrom;

    /**
     * Makes a loop that has not begun, for all objects. Nothing is listed again and again, whatever the settings say.
     *
     * @param namespace the namespace to watch; null for a cluster-wide watch
     */
    public ListAndWatchLoop(
            Platform platform,
            KubernetesApi api,
            Resource resource,
            @Nullable String namespace,
            OperatorSettings.Watching settings) {
        this(platform, api, resource, namespace, Narrowing.NONE, settings, null);
    }

    /**
     * Makes a loop for a part of the objects.
     *
     * @param resyncInterval after what time, a tenth sooner or later, everything is listed again though nothing is
     *     wrong; null for never
     */
    public ListAndWatchLoop(
            Platform platform,
            KubernetesApi api,
            Resource resource,
            @Nullable String namespace,
            Narrowing narrowing,
            OperatorSettings.Watching settings,
            @Nullable Duration resyncInterval) {
        this.platform = platform;
        this.collection = new WatchedCollection(platform, api, resource, namespace, narrowing, settings);
        this.settings = settings;
        this.resyncInterval = resyncInterval;
        this.believedFrom = platform.after(Duration.ZERO);
        this.heldBack = new HeldBackWatches(platform, collection);
    }

    /** Runs in the caller's task until it is interrupted; the interrupt flag is set then. */
    public void run(ListAndWatchListener listener) {
        log.debug("Starting the watch-stream for {}.", collection);
        try {
            ReconnectBackoff backoff =
                    new ReconnectBackoff(platform, settings.reconnectBackoff(), RECONNECT_BACKOFF_MAX);
            listAndWatchForever(new WatchReport(platform, collection, listener), backoff);
        } catch (InterruptedException e) {
            log.debug("Stopping the watch-stream for {}.", collection);
            Thread.currentThread().interrupt();
        }
    }

    private void listAndWatchForever(WatchReport report, ReconnectBackoff backoff) throws InterruptedException {
        while (true) {
            try {
                Optional<String> version = listAndWatch(report, backoff);
                if (version.isPresent()) {
                    watchUntilRelist(version.get(), report, backoff);
                    log.debug("Restarting the watch-stream for {}.", collection);
                }
            } catch (RuntimeException | Error e) {
                TaskEndError.letThrough(e);
                // Nobody would notice that the stream has ended for ever.
                report.unexpected(e);
            }
            platform.sleep(backoff.next());
        }
    }

    /**
     * Lists by a watch with initial events if that is wanted and the server has it, else page by page. Such a watch is
     * read to its end.
     *
     * @return from which version to go on; empty if there is no complete list, or not any more
     */
    private Optional<String> listAndWatch(WatchReport report, ReconnectBackoff backoff) throws InterruptedException {
        if (!settings.streamedLists()) {
            return list(report, backoff);
        }
        listedAt = collection.serverChanges();
        WatchSession session = new WatchSession(platform, collection, report, "", nextResync(), believedFrom, listedAt);
        WatchEnding ending = session.listAndWatch();
        if (ending == WatchEnding.LIST_BY_PAGES) {
            return list(report, backoff);
        }
        bookmarks |= session.hasSeenBookmarks();
        doubtful = ending == WatchEnding.RECONNECT || (session.wasSilent() && bookmarks);
        pauseAfter(session, ending, backoff);
        return ending == WatchEnding.RELIST ? Optional.empty() : Optional.of(session.version());
    }

    /** Returns the version of the list; empty if listing failed, or was followed by a watch that has ended. */
    private Optional<String> list(WatchReport report, ReconnectBackoff backoff) throws InterruptedException {
        EarlyWatch early = new EarlyWatch(
                platform,
                "watch of " + collection,
                version -> watchUntilRelist(version, report, backoff),
                report::unexpected);
        try {
            return list(report, early);
        } finally {
            early.stop();
        }
    }

    private Optional<String> list(WatchReport report, EarlyWatch early) throws InterruptedException {
        String version;
        doubtful = false;
        listedAt = collection.serverChanges();
        try {
            report.listStarted();
            version = collection.list(new ListForwarding(report, early, heldBack));
        } catch (ClientException e) {
            report.failed("listing failed", e);
            return Optional.empty();
        }
        if (collection.serverChanges() != listedAt) {
            return Optional.empty();
        }
        report.listComplete(version);
        heldBack.listComplete();
        return early.awaitEnd() ? Optional.empty() : Optional.of(version);
    }

    /**
     * Opens one watch after the other until a new list is needed: after each of them if the server tells no versions,
     * as nothing else tells what was deleted between two watches.
     */
    private void watchUntilRelist(String listed, WatchReport report, ReconnectBackoff backoff)
            throws InterruptedException {
        Deadline resync = nextResync();
        String version = listed;
        WatchEnding ending;
        do {
            WatchSession session =
                    new WatchSession(platform, collection, report, version, resync, believedFrom, listedAt);
            ending = heldBack.after(session, session.watch(doubtful, heldBack.areSuspected()));
            if (session.serverHasGoneBack()) {
                believedFrom = platform.after(GONE_BACK_APART);
            }
            version = session.version();
            bookmarks |= session.hasSeenBookmarks();
            doubtful = session.leavesDoubts() || ending == WatchEnding.RECONNECT || (session.wasSilent() && bookmarks);
            pauseAfter(session, ending, backoff);
        } while (ending != WatchEnding.RELIST && !version.isEmpty());
    }

    /** With jitter, so that many streams do not list at once. */
    private Deadline nextResync() {
        return resyncInterval == null
                ? Deadline.NEVER
                : platform.after(Duration.ofNanos((long)
                        (resyncInterval.toNanos() * (0.9 + platform.random().nextDouble() / 5))));
    }

    private void pauseAfter(WatchSession session, WatchEnding ending, ReconnectBackoff backoff)
            throws InterruptedException {
        if (session.wasHealthy()) {
            backoff.reset();
        }
        boolean fruitless = ending == WatchEnding.REOPEN && !session.wasHealthy();
        if (ending == WatchEnding.RECONNECT || fruitless) {
            platform.sleep(backoff.next());
        }
    }

    /** Passes a list on to the listener of the loop. Confined to the loop's task. */
    private record ListForwarding(WatchReport report, EarlyWatch early, HeldBackWatches heldBack)
            implements ListListener {
        @Override
        public void item(ObjectNode object) throws InterruptedException {
            heldBack.listed(object);
            report.listed(object);
        }

        @Override
        public void unreadable(UnreadableObject object) throws InterruptedException {
            report.unreadable(object);
        }

        @Override
        public void restarted() throws InterruptedException {
            report.listStarted();
        }

        @Override
        public void pageRead() {
            // A page brings nobody back who watches: that stays told.
            if (!early.hasEnded() || !report.isDisturbed()) {
                report.alive();
            }
        }

        @Override
        public void moreFollows(String resourceVersion) {
            if (report.watchesWhileListing(resourceVersion)) {
                early.begin(resourceVersion);
            }
        }

        @Override
        public void retrying(ClientException failure) {
            report.retrying(failure);
        }
    }

    /**
     * Notices watches that are opened and bring nothing, not even a bookmark, or all of it with their end, as behind a
     * proxy that buffers answers. After one that has brought nothing, the next ones are asked to end before silence is
     * taken for a failure, so that what is held back comes with their ends. If they do not end either, everything is
     * listed anew; more and more rarely while the lists bring no news, since many servers send no bookmarks, and rarely
     * from the beginning if the watches are cut, as idle connections are. That something is held back is told once. One
     * task at a time watches.
     */
    private static final class HeldBackWatches {
        private static final Duration LISTED_AFTER_MIN = Duration.ofMinutes(2);
        private static final Duration LISTED_AFTER_MAX = Duration.ofMinutes(30);

        private final Platform platform;
        private final WatchedCollection collection;
        private volatile Duration listedAfter = LISTED_AFTER_MIN;
        private volatile Deadline listDue = Deadline.NEVER;
        private volatile boolean suspected;
        private volatile boolean lateBefore;
        private volatile boolean told;

        /** The version from which the watches have brought nothing; empty if they are not the reason for the list. */
        private volatile String untold = "";

        private volatile boolean newsInList;

        HeldBackWatches(Platform platform, WatchedCollection collection) {
            this.platform = platform;
            this.collection = collection;
        }

        /** True if the next watch is to end soon. */
        boolean areSuspected() {
            return suspected;
        }

        /** Returns how to go on after a watch that has ended so. */
        WatchEnding after(WatchSession session, WatchEnding ending) {
            if (ending == WatchEnding.RELIST || !session.hasBroughtNothing()) {
                listDue = Deadline.NEVER;
                noteArrivals(session);
                return ending;
            }
            suspected = true;
            listDue = listDue.orEarlier(platform.after(session.wasSilent() || told ? listedAfter : LISTED_AFTER_MAX));
            if (!listDue.hasPassed(platform)) {
                return ending;
            }
            log.debug("The watches of {} bring nothing: it is listed anew.", collection);
            listDue = Deadline.NEVER;
            Duration next = listedAfter.multipliedBy(2);
            listedAfter = next.compareTo(LISTED_AFTER_MAX) < 0 ? next : LISTED_AFTER_MAX;
            untold = session.version();
            newsInList = false;
            return WatchEnding.RELIST;
        }

        private void noteArrivals(WatchSession session) {
            if (session.hasBroughtAllWithItsEnd()) {
                late();
            } else if (session.hasBroughtSomething()) {
                suspected = false;
                lateBefore = false;
            }
        }

        /** An object of a list. */
        void listed(ObjectNode object) {
            if (!untold.isEmpty()) {
                String version = object.path("metadata").path("resourceVersion").asString("");
                newsInList = newsInList || WatchedCollection.isOlder(untold, version);
            }
        }

        /** The list is complete. */
        void listComplete() {
            if (!untold.isEmpty() && newsInList) {
                listedAfter = LISTED_AFTER_MIN;
                late();
            }
            untold = "";
        }

        /** Once may be by chance: something has happened just before the end. */
        private void late() {
            if (lateBefore && !told) {
                told = true;
                log.warn(
                        "K4-029: The watch-stream for {} tells late what happens, so that handlers are called late:"
                                + " something between the operator and the API server holds back answers until they"
                                + " end, such as a proxy that buffers them. Let it pass watches on at once, or go past"
                                + " it.",
                        collection);
            }
            lateBefore = true;
        }
    }

    /** Delays between failed watches. They double with each failure, with jitter, up to a bound. Confined to a task. */
    private static final class ReconnectBackoff {
        private static final int DOUBLINGS_MAX = 30;

        private final Platform platform;
        private final Duration first;
        private final Duration longest;
        private int failures;

        ReconnectBackoff(Platform platform, Duration first, Duration longest) {
            this.platform = platform;
            this.first = first;
            this.longest = longest;
        }

        /** The watch was healthy: the next failure gets the first delay. */
        void reset() {
            failures = 0;
        }

        /** Returns the next delay: between 75% and 125% of the doubled one, and never above the bound. */
        Duration next() {
            double doubled = first.toNanos() * Math.pow(2, Math.min(failures, DOUBLINGS_MAX));
            failures++;
            double jittered = Math.min(doubled, (double) longest.toNanos())
                    * (0.75 + platform.random().nextDouble() / 2);
            return Duration.ofNanos(Math.min((long) jittered, longest.toNanos()));
        }
    }

    /**
     * A watch that begins after the first page of a long list, in a task of its own, so that changes do not wait until
     * the listener has taken all pages. Confined to the task of the loop.
     */
    private static final class EarlyWatch {
        private final Platform platform;
        private final String name;
        private final Watching watching;
        private final Consumer<Throwable> unexpected;
        private @Nullable Task task;
        private volatile boolean ended;

        /** Watches until there has to be a new list. */
        @FunctionalInterface
        interface Watching {
            void from(String version) throws InterruptedException;
        }

        /**
         * A watch that has not begun.
         *
         * @param unexpected is told at once what the watch has not foreseen and has ended with: the list may take long
         */
        EarlyWatch(Platform platform, String name, Watching watching, Consumer<Throwable> unexpected) {
            this.platform = platform;
            this.name = name;
            this.watching = watching;
            this.unexpected = unexpected;
        }

        /** Begins to watch; ignored if it has begun. */
        void begin(String version) {
            if (task == null) {
                task = platform.spawn(name, () -> watch(version));
            }
        }

        private void watch(String version) {
            try {
                watching.from(version);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error e) {
                TaskEndError.letThrough(e);
                unexpected.accept(e);
            } finally {
                ended = true;
            }
        }

        /** True if the watch has begun, and there has to be a new list: until then nobody watches. */
        boolean hasEnded() {
            return ended;
        }

        /**
         * Waits until there has to be a new list, if the watch has begun.
         *
         * @return false if it has not begun
         */
        boolean awaitEnd() throws InterruptedException {
            Task begun = task;
            if (begun == null) {
                return false;
            }
            var _ = begun.join(Deadline.NEVER);
            return true;
        }

        /** Ends the watch, if it has begun. */
        void stop() throws InterruptedException {
            Task begun = task;
            if (begun != null) {
                begun.interrupt();
                var _ = begun.join(Deadline.NEVER);
            }
        }
    }

    /** One watch, from its opening to its end. Confined to the task of its {@link ListAndWatchLoop}. */
    static final class WatchSession {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

        /** A watch that lived this long was healthy even if nothing happened. */
        private static final Duration HEALTHY_AFTER = Duration.ofSeconds(10);

        /**
         * What arrives so shortly before the end comes with it. Servers send a last bookmark a second or two before.
         */
        private static final Duration WITH_THE_END = Duration.ofMillis(500);

        private final Platform platform;
        private final WatchedCollection collection;
        private final WatchReport report;
        private final Deadline resync;
        private String version;
        private final Deadline believedFrom;
        private final int listedAt;
        private boolean doubtful;
        private boolean goneBack;
        private boolean healthy;
        private boolean moved;
        private boolean seenBookmarks;
        private boolean silent;
        private boolean endedByServer;
        private boolean allWithTheEnd;

        /**
         * A watch that has not begun.
         *
         * @param version from which version it goes on
         * @param resync when everything is to be listed again
         * @param believedFrom from when on the server is believed to have gone back behind that version
         * @param listedAt how often the server had changed when that version was listed
         */
        WatchSession(
                Platform platform,
                WatchedCollection collection,
                WatchReport report,
                String version,
                Deadline resync,
                Deadline believedFrom,
                int listedAt) {
            this.platform = platform;
            this.collection = collection;
            this.report = report;
            this.version = version;
            this.resync = resync;
            this.believedFrom = believedFrom;
            this.listedAt = listedAt;
        }

        /** The last version that the listener has. */
        String version() {
            return version;
        }

        /** True if anything came, or the watch lived for a while. */
        boolean wasHealthy() {
            return healthy;
        }

        /** True if the server may be behind the version, was not asked with success, and nothing has come from it. */
        boolean leavesDoubts() {
            return doubtful && !moved;
        }

        /** True if it has ended because the server knows of older versions alone. */
        boolean serverHasGoneBack() {
            return goneBack;
        }

        boolean hasSeenBookmarks() {
            return seenBookmarks;
        }

        /** True if it has ended because nothing came any more. */
        boolean wasSilent() {
            return silent;
        }

        /** True if it was open for a while, and nothing came from it, not even its end from the server. */
        boolean hasBroughtNothing() {
            return !moved && (silent || healthy) && !endedByServer;
        }

        boolean hasBroughtSomething() {
            return moved;
        }

        /** True if it was open for a while, and all that came from it came as the server ended it. */
        boolean hasBroughtAllWithItsEnd() {
            return allWithTheEnd;
        }

        /** Opens a watch that begins with what exists, and reads it until it ends. */
        WatchEnding listAndWatch() throws InterruptedException {
            String server;
            try {
                server = collection.server();
            } catch (ClientException e) {
                report.failed("listing failed", e);
                return WatchEnding.RELIST;
            }
            try {
                Optional<WatchStream> stream = collection.openWithInitialEvents(server, report::retrying);
                return stream.isPresent() ? listAndWatch(stream.get()) : WatchEnding.LIST_BY_PAGES;
            } catch (NoInitialEventsException e) {
                collection.doesNotStreamLists(server, e);
                return WatchEnding.LIST_BY_PAGES;
            } catch (ClientException e) {
                if (WatchEnding.refusesInitialEvents(e)) {
                    collection.doesNotStreamLists(server, e);
                    return WatchEnding.LIST_BY_PAGES;
                }
                report.failed("listing failed", e);
                return e.getCause() instanceof DamagedStreamException ? WatchEnding.LIST_BY_PAGES : WatchEnding.RELIST;
            }
        }

        private WatchEnding listAndWatch(WatchStream opened) throws NoInitialEventsException, InterruptedException {
            StreamedList list = new StreamedList(platform, collection, report);
            try (WatchStream stream = opened) {
                report.alive();
                version = list.read(stream);
                return watch(stream);
            }
        }

        /**
         * Opens the watch, and reads it until it ends.
         *
         * @param suspect true if the server may be behind the version
         * @param endsSoon true if the server is to end it before silence is taken for a failure
         */
        WatchEnding watch(boolean suspect, boolean endsSoon) throws InterruptedException {
            doubtful = suspect;
            if (serverHasChanged()) {
                return WatchEnding.RELIST;
            }
            try (WatchStream stream = collection.open(version, endsSoon, this::retrying)) {
                report.alive();
                if (serverHasChanged()) {
                    // With another attempt.
                    return WatchEnding.RELIST;
                }
                goneBack = doubtful && believedFrom.hasPassed(platform) && hasGoneBehind();
                return goneBack ? WatchEnding.RELIST : watch(stream);
            } catch (ClientException e) {
                return broken(e);
            }
        }

        /** True if the version is that of another server, and so is what an open watch brings. */
        private boolean serverHasChanged() {
            return collection.serverChanges() != listedAt;
        }

        /**
         * The same request is not repeated where that would last for a minute in vain, or until the server has come so
         * far again: what has happened before that would be lost.
         */
        private void retrying(ClientException failure) {
            doubtful = true;
            if (serverHasChanged() || isAboutFutureVersion(failure)) {
                throw failure;
            }
            report.retrying(failure);
        }

        private static boolean isAboutFutureVersion(ClientException failure) {
            return failure instanceof ApiException refusal && refusal.isAboutFutureVersion();
        }

        /**
         * True if the server knows of older versions alone: it takes the watch, and tells nothing before it has come so
         * far again. Asked after a failure as soon as the watch is open, which may be soon before that.
         */
        private boolean hasGoneBehind() throws InterruptedException {
            try {
                boolean behind = collection.hasGoneBehind(version);
                doubtful = false;
                if (behind) {
                    log.warn(
                            "The server has gone back behind the version {} of {}, as after a restored backup:"
                                    + " everything is listed anew.",
                            version,
                            collection);
                }
                return behind;
            } catch (ClientException e) {
                doubtful = !(e instanceof ForbiddenException);
                // The watch goes on, and the next one asks, if nothing comes.
                log.debug("The version of {} could not be asked for: {}", collection, e.getMessage());
                return false;
            }
        }

        private WatchEnding watch(WatchStream stream) throws InterruptedException {
            try {
                Duration total = collection.settings().clientTimeout();
                return read(stream, resync.orEarlier(total == null ? Deadline.NEVER : platform.after(total)));
            } catch (StreamIdleException e) {
                // Perhaps nothing was to be said: not every server sends bookmarks. The next watch will tell.
                silent = true;
                report.silent("nothing was heard for "
                        + DurationText.format(collection.settings().inactivityTimeout()));
                return WatchEnding.REOPEN;
            } catch (ClientException e) {
                return broken(e);
            }
        }

        private WatchEnding broken(ClientException failure) throws InterruptedException {
            report.failed("watching failed", failure);
            if (serverHasChanged()) {
                return WatchEnding.RELIST;
            }
            if (isAboutFutureVersion(failure)) {
                // One of several servers may be behind the others for a moment: a list asks all of them.
                goneBack = hasGoneBehind();
                return goneBack ? WatchEnding.RELIST : WatchEnding.RECONNECT;
            }
            return isStuck(failure) ? WatchEnding.RELIST : WatchEnding.afterFailure(failure);
        }

        /** From this version on, the same would come again and again. */
        private boolean isStuck(ClientException failure) {
            return !moved && failure.getCause() instanceof DamagedStreamException;
        }

        private WatchEnding read(WatchStream stream, Deadline total) throws StreamIdleException, InterruptedException {
            Deadline steady = platform.after(HEALTHY_AFTER);
            Deadline beforeTheEnd = Deadline.NEVER;
            boolean late = false;
            try {
                WatchEvent event = stream.next(total);
                while (event != null) {
                    if (serverHasChanged()) {
                        return WatchEnding.RELIST;
                    }
                    if (!moved) {
                        late = steady.hasPassed(platform);
                        beforeTheEnd = platform.after(WITH_THE_END);
                    }
                    report.alive();
                    if (event.type() == WatchEvent.Type.ERROR) {
                        healthy &= WatchEnding.isExpiredVersion(event);
                        reportUnlessExpired(event);
                        return WatchEnding.afterErrorEvent();
                    }
                    deliver(event);
                    // Whatever answers with something else than events, such as a proxy, is asked again after a pause.
                    boolean known = event.type() != WatchEvent.Type.UNKNOWN;
                    healthy |= known;
                    moved |= known;
                    event = stream.next(total);
                }
                endedByServer = true;
                allWithTheEnd = late && !beforeTheEnd.hasPassed(platform);
                return resync.hasPassed(platform) ? WatchEnding.RELIST : WatchEnding.REOPEN;
            } catch (StreamIdleException e) {
                if (total.hasPassed(platform)) {
                    return resync.hasPassed(platform) ? WatchEnding.RELIST : WatchEnding.REOPEN;
                }
                throw e;
            } finally {
                healthy |= steady.hasPassed(platform);
            }
        }

        /** The version moves on only when the listener has the event. */
        private void deliver(WatchEvent event) throws InterruptedException {
            switch (event.type()) {
                case ADDED, MODIFIED, DELETED -> report.event(event);
                case BOOKMARK -> seenBookmarks = true;
                case ERROR -> {}
                case UNKNOWN -> log.warn("Ignoring an unsupported event type: {} (of {})", event.rawType(), collection);
            }
            String seen = event.resourceVersion();
            version = seen.isEmpty() ? version : seen;
        }

        private void reportUnlessExpired(WatchEvent error) {
            if (!WatchEnding.isExpiredVersion(error)) {
                report.failed("the server reported an error in the stream", collection.told(error));
            }
        }

        /**
         * A list that comes as the first events of a watch, up to a bookmark that says so (KEP-3157). Changes that
         * happen meanwhile may be among the events. Confined to the task of the loop.
         *
         * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists">Streaming
         *     lists</a>
         */
        static final class StreamedList {
            private final Platform platform;
            private final WatchedCollection collection;
            private final WatchReport report;
            private final List<WatchEvent> heldBack = new ArrayList<>();
            private final Set<ObjectName> deleted = new HashSet<>();

            private record ObjectName(
                    @Nullable String namespace, @Nullable String name) {}

            /** Makes a list that has not begun. */
            StreamedList(Platform platform, WatchedCollection collection, WatchReport report) {
                this.platform = platform;
                this.collection = collection;
                this.report = report;
            }

            /**
             * Reads the list, and tells the listener that it is complete. The stream goes on as an ordinary watch then.
             *
             * @return the version of the list
             * @throws NoInitialEventsException if the server does not tell where the list ends
             * @throws ApiException if the server reports an error before that
             * @throws ConnectionFailedException if the connection is lost before that
             */
            String read(WatchStream stream) throws NoInitialEventsException, InterruptedException {
                report.listStarted();
                WatchEvent event = next(stream);
                while (!event.endsInitialEvents()) {
                    take(event);
                    event = next(stream);
                }
                report.listComplete(event.resourceVersion());
                for (WatchEvent change : heldBack) {
                    report.event(change);
                }
                return event.resourceVersion();
            }

            private WatchEvent next(WatchStream stream) throws NoInitialEventsException, InterruptedException {
                Duration patience = collection.settings().inactivityTimeout();
                Deadline deadline = platform.after(patience);
                try {
                    WatchEvent event = stream.next(deadline);
                    if (event == null) {
                        throw new NoInitialEventsException(
                                "the watch has ended without telling that the list is complete");
                    }
                    report.alive();
                    return event;
                } catch (StreamIdleException e) {
                    throw new NoInitialEventsException(
                            "for " + DurationText.format(patience) + " nothing has told that the list is complete");
                }
            }

            private void take(WatchEvent event) throws NoInitialEventsException, InterruptedException {
                switch (event.type()) {
                    case ADDED, MODIFIED -> listOrHoldBack(event);
                    case DELETED -> holdBack(event);
                    // A server that has the feature sends no bookmark before the one that ends the list.
                    case BOOKMARK -> throw new NoInitialEventsException("the first bookmark does not end a list");
                    case ERROR -> throw collection.told(event);
                    case UNKNOWN -> {}
                }
            }

            /** An object of the same name as a deleted one is new: it has to come after the deletion. */
            private void listOrHoldBack(WatchEvent event) throws InterruptedException {
                if (deleted.contains(name(event))) {
                    heldBack.add(event);
                } else {
                    report.listed(event);
                }
            }

            /** The listener can take objects out of a list only when the list is complete. */
            private void holdBack(WatchEvent event) {
                deleted.add(name(event));
                heldBack.add(event);
            }

            private static ObjectName name(WatchEvent event) {
                return new ObjectName(event.namespace(), event.name());
            }

            /** A server has accepted a watch with initial events, but does not tell where they end. */
            static final class NoInitialEventsException extends Exception {
                @Serial
                private static final long serialVersionUID = 1L;

                NoInitialEventsException(String message) {
                    super(message);
                }
            }
        }
    }
}
