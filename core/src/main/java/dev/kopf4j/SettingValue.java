package dev.kopf4j;

/**
 * The value of a setting. Immutable.
 *
 * @param setting which setting
 * @param text the value, as it is written in configuration files
 * @param origin where it came from, for people: {@code default}, {@code code}, {@code the option --priority}
 */
public record SettingValue(Setting setting, String text, String origin) {}
