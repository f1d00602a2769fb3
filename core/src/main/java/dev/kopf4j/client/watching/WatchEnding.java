package dev.kopf4j.client.watching;

/** How the loop goes on after a watch has ended. */
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
    LIST_BY_PAGES
}
