/**
 * Posts Kubernetes events about objects, in the background: those that handlers ask for, those of the framework, and,
 * if the settings say so, what is logged about objects. Failures here affect nothing else: events may get lost, and
 * handlers never wait.
 *
 * <p>{@code engine.posting} has one task and one bounded queue per operator. It counts a repeated event in the event
 * that was posted. The public functions find it through the context of the handler.
 */
package dev.kopf4j.engine.posting;
