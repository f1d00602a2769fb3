/**
 * Serving: answers whether the operator works, whether it watches all that it should, and figures of its work. Goes on
 * whether or not the operator acts at the moment.
 */
package dev.kopf4j.engine.probe;
