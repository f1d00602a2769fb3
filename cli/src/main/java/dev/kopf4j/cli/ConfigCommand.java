package dev.kopf4j.cli;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.SettingValue;
import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j config}: prints the settings in force, and where they come from. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Prints all settings as `kopf4j run` would have them, with where each value came from.",
            "What is printed can be given to --config. What start-up handlers change cannot be known here."
        })
final class ConfigCommand implements Runnable {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_./,-]*");

    @Mixin
    private SettingOptions options = new SettingOptions();

    @Option(names = "--changed", description = "Leave out what has its default.")
    private boolean changed;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        OperatorSettings settings = new OperatorSettings();
        options.apply(settings, EnvironmentDefaults.environment(spec), System.getProperties());
        print(
                settings.values().stream()
                        .filter(value -> !changed || !value.origin().equals("default"))
                        .toList(),
                spec.commandLine().getOut());
    }

    private static void print(List<SettingValue> values, PrintWriter out) {
        String group = "";
        for (SettingValue value : values) {
            String[] parts = value.setting().name().split("\\.", 2);
            if (!group.equals(parts[0])) {
                group = parts[0];
                out.println(group + ":");
            }
            String line = "  " + parts[1] + ": " + quoted(value.text());
            out.printf("%-50s # %s%n", line, value.origin());
        }
        out.flush();
    }

    private static String quoted(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "''") + "'";
    }
}
