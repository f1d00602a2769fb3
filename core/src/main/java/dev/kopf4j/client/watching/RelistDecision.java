package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.error.GoneException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.client.error.TooManyRequestsException;
import dev.kopf4j.client.error.UnauthorizedException;

/**
 * Decides whether a watch that failed goes on from the last version or lists everything again. Pure.
 *
 * <p>A version that is too old (HTTP 410 Gone) reaches the client in three ways. The server refuses to open the watch,
 * or it sends an {@code ERROR} event in the open stream; both are decided here. Or the token of a page expires while a
 * list is read: {@link dev.kopf4j.client.api.PagedList} restarts the list then.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#410-gone-responses">410 Gone responses</a>
 */
final class RelistDecision {
    private static final int REQUEST_TIMEOUT = 408;
    private static final int GONE = 410;

    private RelistDecision() {}

    /**
     * After a watch could not be opened, or its connection was lost.
     *
     * <p>Lost connections, 401, 403 and 429 say nothing about the version, so the watch goes on from it. Any other
     * refusal may be about the version: the server has a reason of its own, or does not say it.
     */
    static WatchEnding afterFailure(ClientException failure) {
        return switch (failure) {
            case UnauthorizedException e -> WatchEnding.RECONNECT;
            case ForbiddenException e -> WatchEnding.RECONNECT;
            case TooManyRequestsException e -> WatchEnding.RECONNECT;
            case ApiException e -> WatchEnding.RELIST;
            default -> WatchEnding.RECONNECT;
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
        return WatchEnding.RELIST;
    }

    /** True if the event says that the version is too old: it happens on every quiet resource, and is no trouble. */
    static boolean isExpiredVersion(WatchEvent error) {
        return error.errorCode() == GONE;
    }
}
