/**
 * Posts Kubernetes events about objects, in the background: those that handlers ask for, those of the framework, and,
 * if the settings say so, what is logged about objects. Whatever happens here is nobody else's trouble: events may get
 * lost, handlers never wait.
 */
package dev.kopf4j.engine.posting;
