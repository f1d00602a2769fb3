package dev.kopf4j.client.watching;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.KubernetesApi.StreamedListSupport;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.api.WatchStream.WatchOptions;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.request.RequestSender.RetryListener;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.PlaceText;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a loop follows: the objects of a resource, or a part of them, in one namespace, or cluster-wide (null). Lists
 * them, and opens watches with the timeouts of the settings. Thread-safe.
 */
record WatchedCollection(
        Platform platform,
        KubernetesApi api,
        Resource resource,
        @Nullable String namespace,
        Narrowing narrowing,
        OperatorSettings.Watching settings) {
    /** The default is drawn between these two, so that the watches of many operators do not end at once. */
    private static final int SERVER_TIMEOUT_SECONDS_MIN = 240;

    private static final int SERVER_TIMEOUT_SECONDS_MAX = 480;

    /** How long the stream waits to hear of the version: its events wait meanwhile. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private static final Pattern VERSION = Pattern.compile("\\d{1,40}");

    /** The collection as logs name it: {@code pods.v1 in 'ns'}. */
    @Override
    public String toString() {
        return resource + " " + PlaceText.of(namespace);
    }

    /** Lists page by page; returns the version of the list. */
    String list(ListListener listener) throws InterruptedException {
        return api.list(resource, namespace, narrowing, settings.pageSize(), listener);
    }

    /**
     * True if the server has gone back behind a version that it has told, as after a restored backup: a watch from
     * there would hear nothing until the server has come so far again. Versions that are no numbers tell nothing. It
     * costs a request for one object, without a selector, as servers may read all objects to find one with a label.
     *
     * @see <a href="https://kep.k8s.io/5504">KEP-5504: comparable resource versions</a>
     */
    boolean hasGoneBehind(String version) throws InterruptedException {
        if (!VERSION.matcher(version).matches()) {
            return false;
        }
        Narrowing first = new Narrowing("", narrowing.metadataOnly());
        String now = api.with(api.settings().withErrorBackoffs().withRequestTimeout(ANSWER_WITHIN))
                .version(resource, namespace, first);
        return isOlder(now, version);
    }

    /** True if one version is from before another one; false if one of them is no number. */
    static boolean isOlder(String version, String other) {
        return VERSION.matcher(version).matches()
                && VERSION.matcher(other).matches()
                && new BigInteger(version).compareTo(new BigInteger(other)) < 0;
    }

    /** The error that an event of a watch tells of. */
    ApiException told(WatchEvent error) {
        return ApiException.ofStatus(
                RequestDescription.ofCollection("watch", resource, namespace), error.errorCode(), error.object());
    }

    /**
     * Opens a watch, which the caller closes.
     *
     * @param endsSoon true if the server is to end it before silence is taken for a failure
     */
    WatchStream open(String version, boolean endsSoon, RetryListener listener) throws InterruptedException {
        WatchOptions options = options(endsSoon ? Math.min(secondsBeforeSilence(), serverTimeout()) : serverTimeout());
        return api.watch(resource, namespace, narrowing, version, options, listener);
    }

    /**
     * Returns the server's address, by which is known whether it streams lists.
     *
     * @throws ClientException if there are no credentials
     */
    String server() throws InterruptedException {
        return api.server();
    }

    /** How often requests have gone on at another server, which knows nothing of the versions of the one before. */
    int serverChanges() {
        return api.serverChanges();
    }

    /**
     * Opens a watch that begins with what exists, from the newest state; the caller closes it.
     *
     * @param server the server's address
     * @return empty if the server is known not to begin watches so
     * @throws ClientException if the request has failed; the server is not asked again if it refuses such watches
     */
    Optional<WatchStream> openWithInitialEvents(String server, RetryListener listener) throws InterruptedException {
        StreamedListSupport support = api.streamedListSupport();
        if (!support.mayAsk(server)) {
            return Optional.empty();
        }
        try {
            WatchStream stream = api.watch(
                    resource, namespace, narrowing, "", options(serverTimeout()).withInitialEvents(), failure -> {
                        support.doesNotAnswer(server);
                        listener.retrying(failure);
                    });
            support.accepts(server);
            return Optional.of(stream);
        } catch (ClientException e) {
            // Before another stream asks.
            if (WatchEnding.refusesInitialEvents(e)) {
                support.isLackingAt(server, e.getMessage());
            }
            throw e;
        } finally {
            support.doesNotAnswer(server);
        }
    }

    /** The server turned out to send no initial events. */
    void doesNotStreamLists(String server, Exception reason) {
        api.streamedListSupport().isLackingAt(server, reason.getMessage());
    }

    private WatchOptions options(int timeoutSeconds) {
        return new WatchOptions(timeoutSeconds, true, settings.inactivityTimeout(), connectTimeout());
    }

    private int serverTimeout() {
        Duration fixed = settings.serverTimeout();
        return fixed == null
                ? platform.random().nextInt(SERVER_TIMEOUT_SECONDS_MIN, SERVER_TIMEOUT_SECONDS_MAX + 1)
                : seconds(fixed);
    }

    /** With some room, also for proxies that end what is silent for a minute. */
    private int secondsBeforeSilence() {
        Duration silence = settings.inactivityTimeout();
        Duration total = settings.clientTimeout();
        Duration sooner = total != null && total.compareTo(silence) < 0 ? total : silence;
        return seconds(sooner.dividedBy(6).multipliedBy(5));
    }

    private static int seconds(Duration time) {
        return (int) Math.max(1, Math.min(time.toSeconds(), Integer.MAX_VALUE));
    }

    private Duration connectTimeout() {
        if (settings.connectTimeout() != null) {
            return settings.connectTimeout();
        }
        NetworkSettings network = api.settings();
        return network.connectTimeout() == null ? network.requestTimeout() : network.connectTimeout();
    }
}
