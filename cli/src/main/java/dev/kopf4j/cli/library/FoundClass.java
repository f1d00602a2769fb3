package dev.kopf4j.cli.library;

import java.nio.file.Path;

/**
 * A class of an operator that was found, but is not loaded.
 *
 * @param name its binary name
 * @param place the jar or folder
 */
public record FoundClass(String name, Path place, boolean hasHandlers, boolean isCustomResource) {}
