package dev.kopf4j.engine.children;

import dev.kopf4j.runtime.Deadline;

/**
 * Why a child could not be written, and when it is tried again. Immutable.
 *
 * @param reason a word for machines
 * @param message in words for people
 * @param inRow how often it has failed in a row by the server, or the way to it, being in trouble
 */
record WriteFailure(String reason, String message, Deadline retryAt, int inRow) {}
