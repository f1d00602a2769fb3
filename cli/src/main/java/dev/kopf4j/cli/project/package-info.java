/**
 * New projects and files for operators: templates, filled in with names, and written to folders. Knows nothing of
 * options.
 */
package dev.kopf4j.cli.project;
