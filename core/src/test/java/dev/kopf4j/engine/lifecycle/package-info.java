/**
 * Holds the default lifecycle to its promise: handlers are called as under {@code asap}, and objects look the same in
 * the end; only requests are saved. Random operators live through the same stories under both lifecycles.
 */
@NullMarked
package dev.kopf4j.engine.lifecycle;

import org.jspecify.annotations.NullMarked;
