package dev.kopf4j.cli.plan;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a plan in a process that has no network: in a network namespace of its own, in which not even loopback is up.
 * The process gets the copy of the cluster by its standard input. Linux only, where users may make namespaces.
 *
 * @param command the process of the caller, as it was started
 * @see <a href="https://man7.org/linux/man-pages/man7/network_namespaces.7.html">network_namespaces(7)</a>
 */
public record CutOff(List<String> command) {
    /** The option of the command that takes the copy from there. */
    public static final String OPTION = "--copy-from-stdin";

    /** The arguments of this process, each with a NUL behind it. */
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private static final List<String> UNSHARE = List.of("unshare", "--user", "--map-root-user", "--net", "--");

    /** Copies the list. */
    public CutOff {
        command = List.copyOf(command);
    }

    /**
     * For this process; empty if it cannot be cut off, or nobody tells how it was started.
     *
     * @param name that of the command, which is among the arguments if they are those of this program
     */
    public static Optional<CutOff> ofThisProcess(String name) throws InterruptedException {
        try {
            // Not by ProcessHandle, which tells no arguments if they are longer than a page of memory.
            String line = Files.readString(COMMAND_LINE);
            List<String> command = new ArrayList<>(List.of(line.split("\0", -1)));
            command.removeLast(); // behind the last NUL
            ProcessHandle.current().info().command().ifPresent(program -> command.set(0, program));
            return command.contains(name) && isPossible() ? Optional.of(new CutOff(command)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // another system than Linux
        }
    }

    private static boolean isPossible() throws InterruptedException {
        List<String> trial = new ArrayList<>(UNSHARE);
        trial.add("true");
        try {
            return new ProcessBuilder(trial)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no such program
        }
    }

    /** Makes the plan there, which prints it; returns its exit code. */
    public int run(ClusterCopy copy) throws InterruptedException {
        try {
            Process process = start(copy, ProcessBuilder.Redirect.INHERIT);
            return process.waitFor();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Runs the command there, and returns what it prints. */
    public String output(ClusterCopy copy) throws InterruptedException {
        try {
            Process process = start(copy, ProcessBuilder.Redirect.PIPE);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            if (exitCode != ExitCode.OK) {
                throw CommandException.failure("The process without a network has ended with " + exitCode + ".");
            }
            return output;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private Process start(ClusterCopy copy, ProcessBuilder.Redirect output) throws IOException {
        List<String> line = new ArrayList<>(UNSHARE);
        line.addAll(command);
        line.add(OPTION);
        Process process = new ProcessBuilder(line)
                .redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()))) {
            copy.write(out);
        }
        return process;
    }

    private static CommandException failed(IOException e) {
        return CommandException.failure("The process without a network has failed: " + e.getMessage());
    }
}
