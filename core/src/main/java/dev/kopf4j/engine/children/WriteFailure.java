package dev.kopf4j.engine.children;

import dev.kopf4j.runtime.Deadline;

/**
 * Why a child could not be written, and when it is tried again. Immutable.
 *
 * @param reason a word for machines
 * @param message in words for people
 */
record WriteFailure(String reason, String message, Deadline retryAt) {}
