/**
 * Posts Kubernetes events about objects, in the background: those that handlers ask for, those of the framework, and,
 * if the settings say so, what is logged about objects. Failures here affect nothing else: events may get lost, and
 * handlers never wait.
 */
package dev.kopf4j.engine.posting;
