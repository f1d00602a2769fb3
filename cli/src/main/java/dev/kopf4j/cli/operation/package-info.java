/**
 * What people do with an operator that runs: {@code HandlerReport} tells why its handlers were not called for an
 * object, {@code ObjectRequests} asks it to pause, to go on, and to try again. {@code NamedObject} finds the object
 * that they name. Only the annotations of {@code ObjectRequests} are written.
 */
@NullMarked
package dev.kopf4j.cli.operation;

import org.jspecify.annotations.NullMarked;
