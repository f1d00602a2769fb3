package dev.kopf4j.cli;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.SettingException;
import dev.kopf4j.cli.process.CommandException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that change settings, and the other sources of settings. Each later source wins: the file, system
 * properties, the environment, the options.
 */
final class SettingOptions {
    /** The priority of an operator on a developer's machine: operators in the cluster pause for it. */
    private static final int DEVELOPER_PRIORITY = 666;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Take settings from this YAML file; `kopf4j config` shows its form.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            split = "\\s+",
            description = "Change any setting, as in --set queueing.workerLimit=none; repeatable.")
    private Map<String, String> values = new LinkedHashMap<>();

    @Option(
            names = {"-p", "--priority"},
            converter = WholeNumberConverter.class,
            paramLabel = "NUMBER",
            description = "The priority among peering operators (default: 0).")
    private @Nullable Long priority;

    @Option(
            names = "--dev",
            description = "Make the operators in the cluster pause: the same as --priority 666, and stronger.")
    private boolean developing;

    @Option(
            names = {"-P", "--peering"},
            paramLabel = "NAME",
            description = "Take part in the peering of this name, and do nothing until its object is seen.")
    private @Nullable String peering;

    @Option(names = "--standalone", description = "Take no part in any peering.")
    private boolean standalone;

    @Option(names = "--leader-elect", description = "Act only while holding the lease, one of several replicas.")
    private boolean leaderElection;

    @Option(
            names = "--shards",
            paramLabel = "NUMBER",
            description = "Share the objects with other replicas: they fall into so many shards, 64 for instance, of"
                    + " which each replica acts on a part.")
    private @Nullable Integer shards;

    /** The file of settings; null if none was given. */
    @Nullable Path file() {
        return file;
    }

    /**
     * Changes the settings.
     *
     * @throws CommandException if a source has an unknown setting; the message names the most similar one
     */
    void apply(OperatorSettings settings, Map<String, String> environment, Properties properties) {
        try {
            if (file != null) {
                settings.readFile(file);
            }
            settings.readProperties(texts(properties)).readEnvironment(environment);
            values.forEach((name, value) -> settings.from("the option --set", taken -> taken.set(name, value)));
            applyOptions(settings);
        } catch (SettingException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        }
    }

    private void applyOptions(OperatorSettings settings) {
        Long number = priority;
        if (number != null) {
            settings.from("the option --priority", taken -> taken.peering().priority(number));
        }
        if (developing) {
            settings.from("the option --dev", taken -> taken.peering().priority(DEVELOPER_PRIORITY));
        }
        String name = peering;
        if (name != null) {
            settings.from(
                    "the option --peering", taken -> taken.peering().name(name).mandatory(true));
        }
        if (standalone && peering != null) {
            throw CommandException.usage(
                    "--standalone and --peering exclude each other: either no peering is joined, or" + " that one.");
        }
        if (standalone) {
            settings.from("the option --standalone", taken -> taken.peering().standalone(true));
        }
        if (leaderElection) {
            settings.from(
                    "the option --leader-elect", taken -> taken.leaderElection().enabled(true));
        }
        Integer several = shards;
        if (several != null) {
            if (leaderElection) {
                throw CommandException.usage("--shards and --leader-elect exclude each other: either all replicas act,"
                        + " each on its shards, or one of them.");
            }
            if (several < 1) {
                throw CommandException.usage("--shards " + several + " is less than one; 64 do for some 20 replicas.");
            }
            settings.from("the option --shards", taken -> taken.sharding().shards(several));
        }
    }

    private static Map<String, String> texts(Properties properties) {
        Map<String, String> texts = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> texts.put(name, properties.getProperty(name)));
        return texts;
    }
}
