package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.GoneException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.TooManyRequestsException;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.ClientException;

/**
 * How the loop goes on after a watch has ended; and whether a watch that failed goes on from the last version, or lists
 * everything again. Pure.
 *
 * <p>A version that is too old (HTTP 410 Gone) reaches the client in three ways. The server refuses to open the watch,
 * or it sends an {@code ERROR} event in the open stream; both are decided here. Or the token of a page expires while a
 * list is read: {@link dev.kopf4j.client.api.KubernetesApi} restarts the list then.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#410-gone-responses">410 Gone responses</a>
 */
enum WatchEnding {
    /**
     * The watch came to its planned end, or was silent for too long: the next one begins at once, from the last
     * version.
     */
    REOPEN,
    /** The watch broke: the next one begins after a delay, from the last version. */
    RECONNECT,
    /** The server does not accept the last version any more: everything is listed again. */
    RELIST,
    /** The server does not begin watches with what exists: it is listed page by page, at once. */
    LIST_BY_PAGES;

    private static final int REQUEST_TIMEOUT = 408;
    private static final int GONE = 410;

    /**
     * After a watch could not be opened, or its connection was lost.
     *
     * <p>Lost connections, 401, 403 and 429 say nothing about the version, so the watch goes on from it. Any other
     * refusal may be about the version: the server has a reason of its own, or does not say it.
     */
    static WatchEnding afterFailure(ClientException failure) {
        return switch (failure) {
            case UnauthorizedException e -> RECONNECT;
            case ForbiddenException e -> RECONNECT;
            case TooManyRequestsException e -> RECONNECT;
            case ApiException e -> RELIST;
            default -> RECONNECT;
        };
    }

    /**
     * True if the server refuses to begin a watch with what exists, as servers without the feature do: 422, or 400.
     * Other client errors that say nothing about permissions, the resource, the version or the load count as well,
     * since only the parameters of the request can be their reason. Anything else says that the same list may work
     * later.
     */
    static boolean refusesInitialEvents(ClientException failure) {
        return switch (failure) {
            case UnauthorizedException e -> false;
            case ForbiddenException e -> false;
            case NotFoundException e -> false;
            case GoneException e -> false;
            case TooManyRequestsException e -> false;
            case ApiException e -> e.status() < 500 && e.status() != REQUEST_TIMEOUT;
            default -> false;
        };
    }

    /** After an {@code ERROR} event, whatever its code: the server does not say what the stream has missed. */
    static WatchEnding afterErrorEvent() {
        return RELIST;
    }

    /** True if the event says that the version is too old: it happens on every quiet resource, and is no trouble. */
    static boolean isExpiredVersion(WatchEvent error) {
        return error.errorCode() == GONE;
    }
}
